/** Progressive enhancement of the catalog: addresses of searches have no empty parameters. */
document.addEventListener('formdata', ({ target, formData }) => {
  if (target.method !== 'get') return;
  for (const [name, value] of [...formData]) if (value === '') formData.delete(name);
});
