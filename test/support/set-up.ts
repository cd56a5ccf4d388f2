/** Sets the simulator profile of the project of a test file. */
const profile: unknown = Reflect.get(globalThis, 'SIMULATOR_PROFILE');
if (typeof profile === 'string') process.env['SIMULATOR_PROFILE'] = profile;
