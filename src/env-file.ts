import dotenv from 'dotenv';

/**
 * Adds the settings of `.env` in the working directory to the environment, whose own variables win. Throws if the file
 * exists and cannot be read, because the defaults would start another shop.
 */
export function loadEnvFile(): void {
  const { error } = dotenv.config({ path: '.env', quiet: true, override: false });
  if (error && error.code !== 'ENOENT') throw error;
}
