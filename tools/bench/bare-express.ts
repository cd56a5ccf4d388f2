/** The baseline: a bare Express app that sends the bytes of the shop's page, and whose checkout stores nothing. */
import axios from 'axios';
import express from 'express';

const { PORT, PAGE_URL, PAGE_COOKIE = '', GATEWAY_URL } = process.env;
const page = PAGE_URL ? await (await fetch(PAGE_URL, { headers: { cookie: PAGE_COOKIE } })).text() : 'ready';

const app = express();
app.get('/', (_req, res) => {
  res.send(page);
});
app.post('/checkout/hosted', express.urlencoded(), async (req, res) => {
  const session = { amount_total: 28_900, external_id: 'bare', customer: req.body };
  const { data } = await axios.post(`${GATEWAY_URL}/checkout/v1/sessions`, session);
  res.redirect(data.url);
});
app.listen(Number(PORT), '127.0.0.1');
