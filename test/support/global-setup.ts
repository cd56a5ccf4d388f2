// biome-ignore lint/style/noDefaultExport: Jest asks for one.
export default async function globalSetup(): Promise<void> {}
