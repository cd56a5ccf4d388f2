-- All tables after all migrations, as SQLite has them. PostgreSQL has the same columns and indexes.
-- `npm run format` writes this page, except the comments of the tables.

-- Links that set the password of a user of the back office once.
create table admin_links (
  hash text primary key,
  user_id text not null references admin_users (id),
  expires_at bigint not null
);
create index admin_links_by_expiry on admin_links (expires_at);

-- Unused recovery codes of second factors, as hashes. Each works once.
create table admin_recovery_codes (
  user_id text not null references admin_users (id),
  hash text not null,
  constraint admin_recovery_codes_key primary key (user_id, hash)
);

-- Sign-ins to the back office, also failed ones.
create table admin_sign_ins (
  id integer primary key autoincrement,
  user_id text references admin_users (id),
  at bigint not null,
  result text not null
);
create index admin_sign_ins_by_time on admin_sign_ins (at);

-- The history of the users of the back office. It holds no secret.
create table admin_user_events (
  id integer primary key autoincrement,
  user_id text not null references admin_users (id),
  at bigint not null,
  by text not null,
  kind text not null,
  role_before text not null,
  role text not null
);
create index admin_user_events_by_user on admin_user_events (user_id, id);

-- The users of the back office with their roles.
create table admin_users (
  id text primary key,
  name text not null,
  role text not null,
  password_hash text not null,
  totp_secret text,
  totp_step bigint not null,
  disabled_at bigint,
  session_version integer not null,
  created_at bigint not null,
  updated_at bigint not null,
  email text,
  must_change_password integer not null default 0
);
create unique index admin_users_by_name on admin_users (lower(name));

-- Counters of rate limits by key and window.
create table attempt_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);

-- Payment attempts: each try to pay an order through one flow. Written by the payments.
create table attempts (
  id text primary key,
  order_id text not null references orders (id),
  ordinal integer not null,
  flow text not null,
  state text not null,
  live integer,
  environment text not null,
  reference text not null,
  amount bigint not null,
  confirmed_amount bigint,
  gateway_id text unique,
  redirect_url text,
  offer_ends_at bigint not null,
  leased_until bigint not null,
  checked_at bigint not null,
  next_check_at bigint not null,
  checks integer not null,
  gateway_status text,
  found_at bigint,
  returned_at bigint,
  abandoned_at bigint,
  created_at bigint not null,
  updated_at bigint not null,
  id_source text,
  transaction_id text,
  payment_id text,
  provider text,
  not_found_at bigint,
  never_completed_at bigint,
  key_fingerprint text not null default '',
  method text,
  note text,
  constraint attempts_ordinal unique (order_id, ordinal)
);
create index attempts_by_payment_id on attempts (payment_id) where payment_id is not null;
create index attempts_by_reference on attempts (reference);
create index attempts_by_transaction_id on attempts (transaction_id) where transaction_id is not null;
create index attempts_due on attempts (next_check_at) where state in ('creating', 'open');
create index attempts_never_completed on attempts (never_completed_at) where never_completed_at is not null;
create unique index attempts_one_live on attempts (order_id) where live = 1;
create index attempts_watched on attempts (next_check_at) where state in ('superseded', 'review');

-- The lines of a cart.
create table cart_lines (
  cart_id text not null references carts (id) on delete cascade,
  product_id text not null,
  quantity integer not null,
  seen_price bigint not null,
  added_at bigint not null,
  constraint cart_lines_key primary key (cart_id, product_id)
);

-- Carts of customers. They expire.
create table carts (
  id text primary key,
  version integer not null,
  created_at bigint not null,
  updated_at bigint not null,
  discount_code text
);
create index carts_by_change on carts (updated_at);
create index carts_unchanged on carts (updated_at) where updated_at = created_at;

-- The words of names and categories by locale, to correct typing errors in a search.
create table catalog_words (
  word text not null,
  locale text not null,
  spelling text not null,
  primary key (locale, word)
);

-- Discount codes of the merchant.
create table discount_codes (
  code text primary key,
  kind text not null,
  value bigint not null,
  minimum bigint not null,
  starts_on text,
  ends_on text,
  max_uses integer,
  created_at bigint not null,
  created_by text not null,
  ended_at bigint,
  ended_by text
);
create index discount_codes_by_age on discount_codes (created_at, code);

-- The use of a discount code by an order. Unpaid, it counts until it expires.
create table discount_uses (
  order_id text primary key references orders (id),
  code text not null,
  cart_id text not null,
  address_key text not null,
  site_key text not null,
  network_key text not null,
  expires_at bigint not null,
  used_at bigint
);
create index discount_uses_by_cart on discount_uses (cart_id);
create index discount_uses_by_code on discount_uses (code, used_at, expires_at);
create index discount_uses_by_expiry on discount_uses (expires_at) where used_at is null;

-- Delivery addresses that a correction replaced.
create table former_addresses (
  id integer primary key autoincrement,
  order_id text not null references orders (id),
  replaced_at bigint not null,
  by text not null,
  address text not null
);
create index former_addresses_by_order on former_addresses (order_id, id);

-- Names, e-mail addresses and phone numbers that a correction replaced.
create table former_contacts (
  id integer primary key autoincrement,
  order_id text not null references orders (id),
  replaced_at bigint not null,
  by text not null,
  contact text not null,
  token text
);
create index former_contacts_by_order on former_contacts (order_id, id);
create index former_contacts_by_token on former_contacts (token) where token is not null;

-- What happens to the goods of a paid order. One row per order.
create table fulfillments (
  order_id text primary key references orders (id),
  attempt_id text not null,
  at bigint not null,
  stock_taken integer not null,
  state text not null,
  carrier text,
  tracking_number text,
  version integer not null,
  updated_at bigint not null
);
create index fulfillments_by_state on fulfillments (state, at, order_id);

-- Webhook events as the gateway posted them. Written by the payments.
create table inbox (
  id integer primary key autoincrement,
  hash text not null unique,
  body text not null,
  event text,
  state text not null,
  tries integer not null,
  copies integer not null,
  received_at bigint not null,
  next_at bigint not null,
  done_at bigint
);
create index inbox_by_receipt on inbox (received_at, state);
create index inbox_done on inbox (done_at) where done_at is not null;
create index inbox_due on inbox (next_at) where state = 'new';

-- The PDF and XML of an invoice.
create table invoice_files (
  order_id text not null references orders (id),
  kind text not null,
  bytes blob not null,
  constraint invoice_files_key primary key (order_id, kind)
);

-- Links that open the invoice form of an order once.
create table invoice_links (
  hash text primary key,
  order_id text not null references orders (id),
  expires_at bigint not null
);
create index invoice_links_by_expiry on invoice_links (expires_at);
create index invoice_links_by_order on invoice_links (order_id);

-- The customer's data for the invoice of a paid order.
create table invoice_requests (
  order_id text primary key references orders (id),
  rfc text not null,
  name text not null,
  tax_regime text not null,
  cfdi_use text not null,
  postal_code text not null,
  email text not null,
  version integer not null,
  created_at bigint not null,
  updated_at bigint not null,
  issued_at bigint
);
create index invoices_by_rfc on invoice_requests (rfc);
create index invoices_issued on invoice_requests (issued_at, order_id) where issued_at is not null;
create index invoices_to_issue on invoice_requests (created_at, order_id) where issued_at is null;

-- The history of an order.
create table order_events (
  id integer primary key autoincrement,
  order_id text not null references orders (id),
  at bigint not null,
  kind text not null,
  detail text not null
);
create index order_events_by_order on order_events (order_id, id);

-- The lines of an order, frozen when it was placed.
create table order_lines (
  order_id text not null references orders (id),
  position integer not null,
  product_id text not null,
  name text not null,
  unit_price bigint not null,
  quantity integer not null,
  tax_rate text not null,
  discount bigint not null default 0,
  price_before bigint,
  constraint order_lines_key primary key (order_id, position)
);

-- The name of an order from a further word on, for the search.
create table order_names (
  order_id text not null references orders (id) on delete cascade,
  created_at bigint not null,
  name text not null,
  primary key (order_id, name)
);
create index order_names_by_start on order_names (substr(name, 1, 3), created_at, order_id, name);
create index order_names_by_start_6 on order_names (substr(name, 1, 6), created_at, order_id, name);

-- Orders: the frozen purchase with contact and shipping. The payments write the columns of the payment.
create table orders (
  id text primary key,
  number text not null unique,
  token text not null unique,
  cart_id text not null,
  cart_version integer not null,
  state text not null,
  version integer not null,
  total bigint not null,
  currency text not null,
  first_name text not null,
  last_name text not null,
  email text not null,
  search_name text not null,
  search_surname text not null,
  shipping_option text not null,
  street text not null,
  interior_number text not null,
  neighborhood text not null,
  municipality text not null,
  delivery_state text not null,
  postal_code text not null,
  phone text not null,
  delivery_notes text not null,
  contact_hash text not null,
  locale text not null,
  review_reason text,
  superseded_by text,
  paid_attempt_id text,
  created_at bigint not null,
  updated_at bigint not null,
  paid_at bigint,
  confirmed_at bigint,
  note text not null default '',
  payable_until bigint,
  discount_code text,
  reminder_from bigint,
  shipping_label text,
  shipping_kind text,
  shipping_price bigint,
  shipping_days_min integer,
  shipping_days_max integer,
  constraint orders_one_per_cart_version unique (cart_id, cart_version)
);
create index orders_by_age on orders (created_at, id, state);
create index orders_by_email on orders (lower(email), created_at, id);
create index orders_by_name on orders (substr(search_name, 1, 3), created_at, id, search_name);
create index orders_by_name_6 on orders (substr(search_name, 1, 6), created_at, id, search_name);
create index orders_by_phone on orders (phone, created_at, id) where phone <> '';
create index orders_by_state on orders (state, created_at, id);
create index orders_by_surname on orders (substr(search_surname, 1, 3), created_at, id, search_surname);
create index orders_by_surname_6 on orders (substr(search_surname, 1, 6), created_at, id, search_surname);
create index orders_in_review on orders (updated_at) where review_reason is not null or state = 'outcome_unknown';
create index orders_in_review_by_age on orders (created_at, id) where review_reason is not null or state = 'outcome_unknown';
create index orders_paid on orders (paid_at, created_at, total) where paid_at is not null;
create index orders_payable on orders (payable_until) where payable_until is not null;
create index orders_superseded on orders (superseded_by) where superseded_by is not null;
create index orders_to_remind on orders (reminder_from) where payable_until is not null and reminder_from is not null;
create index orders_with_customer on orders (created_at) where first_name <> '';
create index orders_with_personal_data on orders (created_at) where email <> '';

-- Jobs that run at least once: mails, hooks and notifications.
create table outbox (
  key text primary key,
  order_id text not null references orders (id),
  job text not null,
  tries integer not null,
  next_at bigint not null,
  created_at bigint not null,
  done_at bigint,
  last_error text
);
create index outbox_done on outbox (done_at) where done_at is not null;
create index outbox_due on outbox (next_at) where done_at is null;
create index outbox_waiting on outbox (created_at) where done_at is null;

-- The files of uploaded pictures in several sizes.
create table pictures (
  hash text not null,
  width integer not null,
  stored_at bigint not null,
  bytes blob not null,
  avif blob,
  constraint pictures_key primary key (hash, width)
);
create index pictures_by_time on pictures (stored_at, hash);

-- The postal codes of Mexico with their places.
create table postal_codes (
  code text primary key,
  municipalities text not null,
  neighborhoods text not null
);

-- The history of a product.
create table product_events (
  id integer primary key autoincrement,
  product_id text not null references products (id),
  at bigint not null,
  by text not null,
  kind text not null,
  detail text not null
);
create index product_events_by_product on product_events (product_id, id);

-- The pictures of a product after its first one.
create table product_pictures (
  product_id text not null references products (id) on delete cascade,
  position integer not null,
  image text not null,
  texts text not null,
  constraint product_pictures_key primary key (product_id, position)
);
create index product_pictures_by_image on product_pictures (image);

-- The words of all locales, for processes of earlier versions that run during an upgrade.
create table product_words (
  word text primary key,
  spelling text not null
);

-- The catalog. A variant names its main product.
create table products (
  id text primary key,
  slug text not null unique,
  position integer not null,
  category text not null,
  price bigint not null,
  tax_rate text not null,
  stock integer check (stock >= 0),
  requires_shipping integer not null,
  visible integer not null,
  image text not null,
  clave_prod_serv text not null,
  clave_unidad text not null,
  texts text not null,
  search_text text not null,
  version integer not null,
  updated_at bigint not null,
  featured integer not null default 0,
  price_before bigint,
  weight_g integer,
  variant_of text,
  variant_attribute text
);
create index products_by_category on products (category, position, variant_of) where visible = 1;
create index products_by_group on products (variant_of, visible, category, position);
create index products_by_image on products (image);
create unique index products_by_position on products (position);
create index products_few_pieces on products (stock, position) where stock between 1 and 100 and visible = 1;
create index products_low_stock on products (stock, position) where stock between 1 and 5 and visible = 1;
create index products_sold_out on products (position) where stock = 0 and visible = 1;

-- Money that was returned, or is being returned, for one attempt. Written by the payments.
create table refunds (
  id text primary key,
  order_id text not null references orders (id),
  attempt_id text not null references attempts (id),
  kind text not null,
  state text not null,
  in_flight integer,
  amount bigint not null check (amount > 0),
  reason text not null,
  returns_stock integer not null,
  leased_until bigint not null,
  gateway_refund_id text,
  gateway_status text,
  refunded_on text,
  by text not null,
  created_at bigint not null,
  updated_at bigint not null
);
create index refunds_blocking on refunds (attempt_id) where in_flight = 1 or kind = 'chargeback';
create index refunds_by_day on refunds (refunded_on) where refunded_on is not null;
create unique index refunds_by_gateway_id on refunds (gateway_refund_id) where gateway_refund_id is not null;
create index refunds_by_order on refunds (order_id, id);
create unique index refunds_one_in_flight on refunds (attempt_id) where in_flight = 1;
create index refunds_sending on refunds (leased_until) where state = 'sending';

-- When a mailbox last got a reminder.
create table reminded_mailboxes (
  mailbox text primary key,
  reminded_at bigint not null
);
create index reminded_mailboxes_by_time on reminded_mailboxes (reminded_at);

-- Stock set aside for an unpaid order until a time.
create table reservations (
  order_id text not null references orders (id),
  product_id text not null,
  cart_id text not null,
  quantity integer not null,
  expires_at bigint not null,
  address_key text not null,
  network_key text not null default '',
  constraint reservations_key primary key (order_id, product_id)
);
create index reservations_by_address on reservations (address_key, expires_at);
create index reservations_by_cart on reservations (cart_id);
create index reservations_by_expiry on reservations (expires_at);
create index reservations_by_product on reservations (product_id, expires_at);

-- Web sessions of customers and users of the back office.
create table sessions (
  sid text primary key,
  data text not null,
  expires_at bigint not null
);
create index sessions_by_expiry on sessions (expires_at);

-- The changes of the settings of the shop, with their users.
create table shop_settings_changes (
  version integer primary key,
  kind text not null,
  changed_by text not null,
  changed_at bigint not null
);

-- The values that a change of the settings set.
create table shop_settings_values (
  version integer not null,
  name text not null,
  value text not null,
  primary key (name, version)
);

-- What was typed into forms that were not accepted. Kept for one hour.
create table typed_forms (
  sid text not null,
  page text not null,
  content text not null,
  expires_at bigint not null,
  primary key (sid, page)
);
create index typed_forms_by_expiry on typed_forms (expires_at);
