/**
 * Runs a job and rejects with a `TimeoutError` if it does not end within `ms` milliseconds. The job may continue after
 * that. Its signal aborts at the deadline, or earlier when `stop` aborts.
 */
export function withDeadline<T>(ms: number, job: (signal: AbortSignal) => Promise<T>, stop?: AbortSignal): Promise<T> {
  const deadline = AbortSignal.timeout(ms);
  const signal = stop ? AbortSignal.any([deadline, stop]) : deadline;
  return new Promise((resolve, reject) => {
    deadline.addEventListener('abort', () => reject(deadline.reason), { once: true });
    job(signal).then(resolve, reject);
  });
}
