CREATE TABLE admin_sign_ins (
    id bigint NOT NULL,
    user_id text,
    at bigint NOT NULL,
    result text NOT NULL
);
CREATE SEQUENCE admin_sign_ins_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE admin_sign_ins_id_seq OWNED BY admin_sign_ins.id;
CREATE TABLE admin_users (
    id text NOT NULL,
    name text NOT NULL,
    role text NOT NULL,
    password_hash text NOT NULL,
    totp_secret text,
    totp_step bigint NOT NULL,
    disabled_at bigint,
    session_version integer NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL
);
CREATE TABLE attempt_limits (
    key character varying(255) NOT NULL,
    points integer DEFAULT 0 NOT NULL,
    expire bigint
);
CREATE TABLE attempts (
    id text NOT NULL,
    order_id text NOT NULL,
    ordinal integer NOT NULL,
    flow text NOT NULL,
    state text NOT NULL,
    live integer,
    environment text NOT NULL,
    reference text NOT NULL,
    amount bigint NOT NULL,
    confirmed_amount bigint,
    gateway_id text,
    redirect_url text,
    offer_ends_at bigint NOT NULL,
    leased_until bigint NOT NULL,
    checked_at bigint NOT NULL,
    next_check_at bigint NOT NULL,
    checks integer NOT NULL,
    gateway_status text,
    found_at bigint,
    returned_at bigint,
    abandoned_at bigint,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    id_source text,
    transaction_id text,
    payment_id text,
    provider text,
    not_found_at bigint,
    never_completed_at bigint,
    key_fingerprint text DEFAULT ''::text NOT NULL
);
CREATE TABLE cart_lines (
    cart_id text NOT NULL,
    product_id text NOT NULL,
    quantity integer NOT NULL,
    seen_price bigint NOT NULL,
    added_at bigint NOT NULL
);
CREATE TABLE carts (
    id text NOT NULL,
    version integer NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL
);
CREATE TABLE former_addresses (
    id bigint NOT NULL,
    order_id text NOT NULL,
    replaced_at bigint NOT NULL,
    by text NOT NULL,
    address text NOT NULL
);
CREATE SEQUENCE former_addresses_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE former_addresses_id_seq OWNED BY former_addresses.id;
CREATE TABLE fulfillments (
    order_id text NOT NULL,
    attempt_id text NOT NULL,
    at bigint NOT NULL,
    stock_taken integer NOT NULL,
    state text NOT NULL,
    carrier text,
    tracking_number text,
    version integer NOT NULL,
    updated_at bigint NOT NULL
);
CREATE TABLE inbox (
    id bigint NOT NULL,
    hash text NOT NULL,
    body text NOT NULL,
    event text,
    state text NOT NULL,
    tries integer NOT NULL,
    copies integer NOT NULL,
    received_at bigint NOT NULL,
    next_at bigint NOT NULL,
    done_at bigint
);
CREATE SEQUENCE inbox_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE inbox_id_seq OWNED BY inbox.id;
CREATE TABLE invoice_links (
    hash text NOT NULL,
    order_id text NOT NULL,
    expires_at bigint NOT NULL
);
CREATE TABLE invoice_requests (
    order_id text NOT NULL,
    rfc text NOT NULL,
    name text NOT NULL,
    tax_regime text NOT NULL,
    cfdi_use text NOT NULL,
    postal_code text NOT NULL,
    email text NOT NULL,
    version integer NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL
);
CREATE TABLE kysely_migration (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL
);
CREATE TABLE kysely_migration_lock (
    id character varying(255) NOT NULL,
    is_locked integer DEFAULT 0 NOT NULL
);
CREATE TABLE order_events (
    id bigint NOT NULL,
    order_id text NOT NULL,
    at bigint NOT NULL,
    kind text NOT NULL,
    detail text NOT NULL
);
CREATE SEQUENCE order_events_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE order_events_id_seq OWNED BY order_events.id;
CREATE TABLE order_lines (
    order_id text NOT NULL,
    "position" integer NOT NULL,
    product_id text NOT NULL,
    name text NOT NULL,
    unit_price bigint NOT NULL,
    quantity integer NOT NULL,
    tax_rate text NOT NULL
);
CREATE TABLE orders (
    id text NOT NULL,
    number text NOT NULL,
    token text NOT NULL,
    cart_id text NOT NULL,
    cart_version integer NOT NULL,
    state text NOT NULL,
    version integer NOT NULL,
    total bigint NOT NULL,
    currency text NOT NULL,
    first_name text NOT NULL,
    last_name text NOT NULL,
    email text NOT NULL,
    search_name text NOT NULL,
    search_surname text NOT NULL,
    shipping_option text NOT NULL,
    street text NOT NULL,
    interior_number text NOT NULL,
    neighborhood text NOT NULL,
    municipality text NOT NULL,
    delivery_state text NOT NULL,
    postal_code text NOT NULL,
    phone text NOT NULL,
    delivery_notes text NOT NULL,
    contact_hash text NOT NULL,
    locale text NOT NULL,
    review_reason text,
    superseded_by text,
    paid_attempt_id text,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    paid_at bigint,
    confirmed_at bigint
);
CREATE TABLE outbox (
    key text NOT NULL,
    order_id text NOT NULL,
    job text NOT NULL,
    tries integer NOT NULL,
    next_at bigint NOT NULL,
    created_at bigint NOT NULL,
    done_at bigint,
    last_error text
);
CREATE TABLE product_events (
    id bigint NOT NULL,
    product_id text NOT NULL,
    at bigint NOT NULL,
    by text NOT NULL,
    kind text NOT NULL,
    detail text NOT NULL
);
CREATE SEQUENCE product_events_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE product_events_id_seq OWNED BY product_events.id;
CREATE TABLE products (
    id text NOT NULL,
    slug text NOT NULL,
    "position" integer NOT NULL,
    category text NOT NULL,
    price bigint NOT NULL,
    tax_rate text NOT NULL,
    stock integer,
    requires_shipping integer NOT NULL,
    visible integer NOT NULL,
    image text NOT NULL,
    clave_prod_serv text NOT NULL,
    clave_unidad text NOT NULL,
    texts text NOT NULL,
    search_text text NOT NULL,
    version integer NOT NULL,
    updated_at bigint NOT NULL,
    CONSTRAINT products_stock_check CHECK ((stock >= 0))
);
CREATE TABLE refunds (
    id text NOT NULL,
    order_id text NOT NULL,
    attempt_id text NOT NULL,
    kind text NOT NULL,
    state text NOT NULL,
    in_flight integer,
    amount bigint NOT NULL,
    reason text NOT NULL,
    returns_stock integer NOT NULL,
    leased_until bigint NOT NULL,
    gateway_refund_id text,
    gateway_status text,
    refunded_on text,
    by text NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    CONSTRAINT refunds_amount_check CHECK ((amount > 0))
);
CREATE TABLE reservations (
    order_id text NOT NULL,
    product_id text NOT NULL,
    cart_id text NOT NULL,
    quantity integer NOT NULL,
    expires_at bigint NOT NULL,
    address_key text NOT NULL,
    network_key text DEFAULT ''::text NOT NULL
);
CREATE TABLE sessions (
    sid text NOT NULL,
    data text NOT NULL,
    expires_at bigint NOT NULL
);
ALTER TABLE ONLY admin_sign_ins ALTER COLUMN id SET DEFAULT nextval('admin_sign_ins_id_seq'::regclass);
ALTER TABLE ONLY former_addresses ALTER COLUMN id SET DEFAULT nextval('former_addresses_id_seq'::regclass);
ALTER TABLE ONLY inbox ALTER COLUMN id SET DEFAULT nextval('inbox_id_seq'::regclass);
ALTER TABLE ONLY order_events ALTER COLUMN id SET DEFAULT nextval('order_events_id_seq'::regclass);
ALTER TABLE ONLY product_events ALTER COLUMN id SET DEFAULT nextval('product_events_id_seq'::regclass);
ALTER TABLE ONLY admin_sign_ins
    ADD CONSTRAINT admin_sign_ins_pkey PRIMARY KEY (id);
ALTER TABLE ONLY admin_users
    ADD CONSTRAINT admin_users_pkey PRIMARY KEY (id);
ALTER TABLE ONLY attempt_limits
    ADD CONSTRAINT attempt_limits_pkey PRIMARY KEY (key);
ALTER TABLE ONLY attempts
    ADD CONSTRAINT attempts_gateway_id_key UNIQUE (gateway_id);
ALTER TABLE ONLY attempts
    ADD CONSTRAINT attempts_ordinal UNIQUE (order_id, ordinal);
ALTER TABLE ONLY attempts
    ADD CONSTRAINT attempts_pkey PRIMARY KEY (id);
ALTER TABLE ONLY cart_lines
    ADD CONSTRAINT cart_lines_key PRIMARY KEY (cart_id, product_id);
ALTER TABLE ONLY carts
    ADD CONSTRAINT carts_pkey PRIMARY KEY (id);
ALTER TABLE ONLY former_addresses
    ADD CONSTRAINT former_addresses_pkey PRIMARY KEY (id);
ALTER TABLE ONLY fulfillments
    ADD CONSTRAINT fulfillments_pkey PRIMARY KEY (order_id);
ALTER TABLE ONLY inbox
    ADD CONSTRAINT inbox_hash_key UNIQUE (hash);
ALTER TABLE ONLY inbox
    ADD CONSTRAINT inbox_pkey PRIMARY KEY (id);
ALTER TABLE ONLY invoice_links
    ADD CONSTRAINT invoice_links_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY invoice_requests
    ADD CONSTRAINT invoice_requests_pkey PRIMARY KEY (order_id);
ALTER TABLE ONLY kysely_migration_lock
    ADD CONSTRAINT kysely_migration_lock_pkey PRIMARY KEY (id);
ALTER TABLE ONLY kysely_migration
    ADD CONSTRAINT kysely_migration_pkey PRIMARY KEY (name);
ALTER TABLE ONLY order_events
    ADD CONSTRAINT order_events_pkey PRIMARY KEY (id);
ALTER TABLE ONLY order_lines
    ADD CONSTRAINT order_lines_key PRIMARY KEY (order_id, "position");
ALTER TABLE ONLY orders
    ADD CONSTRAINT orders_number_key UNIQUE (number);
ALTER TABLE ONLY orders
    ADD CONSTRAINT orders_one_per_cart_version UNIQUE (cart_id, cart_version);
ALTER TABLE ONLY orders
    ADD CONSTRAINT orders_pkey PRIMARY KEY (id);
ALTER TABLE ONLY orders
    ADD CONSTRAINT orders_token_key UNIQUE (token);
ALTER TABLE ONLY outbox
    ADD CONSTRAINT outbox_pkey PRIMARY KEY (key);
ALTER TABLE ONLY product_events
    ADD CONSTRAINT product_events_pkey PRIMARY KEY (id);
ALTER TABLE ONLY products
    ADD CONSTRAINT products_pkey PRIMARY KEY (id);
ALTER TABLE ONLY products
    ADD CONSTRAINT products_slug_key UNIQUE (slug);
ALTER TABLE ONLY refunds
    ADD CONSTRAINT refunds_pkey PRIMARY KEY (id);
ALTER TABLE ONLY reservations
    ADD CONSTRAINT reservations_key PRIMARY KEY (order_id, product_id);
ALTER TABLE ONLY sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (sid);
CREATE INDEX admin_sign_ins_by_time ON admin_sign_ins USING btree (at);
CREATE UNIQUE INDEX admin_users_by_name ON admin_users USING btree (lower(name));
CREATE INDEX attempts_by_payment_id ON attempts USING btree (payment_id) WHERE (payment_id IS NOT NULL);
CREATE INDEX attempts_by_reference ON attempts USING btree (reference);
CREATE INDEX attempts_by_transaction_id ON attempts USING btree (transaction_id) WHERE (transaction_id IS NOT NULL);
CREATE INDEX attempts_due ON attempts USING btree (next_check_at) WHERE (state = ANY (ARRAY['creating'::text, 'open'::text]));
CREATE INDEX attempts_never_completed ON attempts USING btree (never_completed_at) WHERE (never_completed_at IS NOT NULL);
CREATE UNIQUE INDEX attempts_one_live ON attempts USING btree (order_id) WHERE (live = 1);
CREATE INDEX attempts_watched ON attempts USING btree (next_check_at) WHERE (state = ANY (ARRAY['superseded'::text, 'review'::text]));
CREATE INDEX carts_by_change ON carts USING btree (updated_at);
CREATE INDEX carts_unchanged ON carts USING btree (updated_at) WHERE (updated_at = created_at);
CREATE INDEX former_addresses_by_order ON former_addresses USING btree (order_id, id);
CREATE INDEX fulfillments_to_ship ON fulfillments USING btree (at, order_id) WHERE (state = 'preparing'::text);
CREATE INDEX inbox_by_receipt ON inbox USING btree (received_at, state);
CREATE INDEX inbox_done ON inbox USING btree (done_at) WHERE (done_at IS NOT NULL);
CREATE INDEX inbox_due ON inbox USING btree (next_at) WHERE (state = 'new'::text);
CREATE INDEX invoice_links_by_expiry ON invoice_links USING btree (expires_at);
CREATE INDEX invoice_links_by_order ON invoice_links USING btree (order_id);
CREATE INDEX order_events_by_order ON order_events USING btree (order_id, id);
CREATE INDEX orders_by_age ON orders USING btree (created_at, id, state);
CREATE INDEX orders_by_email ON orders USING btree (lower(email), created_at, id);
CREATE INDEX orders_by_name ON orders USING btree (substr(search_name, 1, 3), created_at, id, search_name);
CREATE INDEX orders_by_state ON orders USING btree (state, created_at, id);
CREATE INDEX orders_by_surname ON orders USING btree (substr(search_surname, 1, 3), created_at, id, search_surname);
CREATE INDEX orders_in_review ON orders USING btree (updated_at) WHERE ((review_reason IS NOT NULL) OR (state = 'outcome_unknown'::text));
CREATE INDEX orders_in_review_by_age ON orders USING btree (created_at, id) WHERE ((review_reason IS NOT NULL) OR (state = 'outcome_unknown'::text));
CREATE INDEX orders_paid ON orders USING btree (paid_at, created_at, total) WHERE (paid_at IS NOT NULL);
CREATE INDEX orders_superseded ON orders USING btree (superseded_by) WHERE (superseded_by IS NOT NULL);
CREATE INDEX orders_with_personal_data ON orders USING btree (created_at) WHERE (email <> ''::text);
CREATE INDEX outbox_done ON outbox USING btree (done_at) WHERE (done_at IS NOT NULL);
CREATE INDEX outbox_due ON outbox USING btree (next_at) WHERE (done_at IS NULL);
CREATE INDEX outbox_waiting ON outbox USING btree (created_at) WHERE (done_at IS NULL);
CREATE INDEX product_events_by_product ON product_events USING btree (product_id, id);
CREATE INDEX products_by_category ON products USING btree (category, "position") WHERE (visible = 1);
CREATE UNIQUE INDEX products_by_position ON products USING btree ("position");
CREATE INDEX refunds_blocking ON refunds USING btree (attempt_id) WHERE ((in_flight = 1) OR (kind = 'chargeback'::text));
CREATE INDEX refunds_by_day ON refunds USING btree (refunded_on) WHERE (refunded_on IS NOT NULL);
CREATE UNIQUE INDEX refunds_by_gateway_id ON refunds USING btree (gateway_refund_id) WHERE (gateway_refund_id IS NOT NULL);
CREATE INDEX refunds_by_order ON refunds USING btree (order_id, id);
CREATE UNIQUE INDEX refunds_one_in_flight ON refunds USING btree (attempt_id) WHERE (in_flight = 1);
CREATE INDEX refunds_sending ON refunds USING btree (leased_until) WHERE (state = 'sending'::text);
CREATE INDEX reservations_by_address ON reservations USING btree (address_key, expires_at);
CREATE INDEX reservations_by_cart ON reservations USING btree (cart_id);
CREATE INDEX reservations_by_expiry ON reservations USING btree (expires_at);
CREATE INDEX reservations_by_product ON reservations USING btree (product_id, expires_at);
CREATE INDEX sessions_by_expiry ON sessions USING btree (expires_at);
ALTER TABLE ONLY admin_sign_ins
    ADD CONSTRAINT admin_sign_ins_user_id_fkey FOREIGN KEY (user_id) REFERENCES admin_users(id);
ALTER TABLE ONLY attempts
    ADD CONSTRAINT attempts_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id);
ALTER TABLE ONLY cart_lines
    ADD CONSTRAINT cart_lines_cart_id_fkey FOREIGN KEY (cart_id) REFERENCES carts(id) ON DELETE CASCADE;
ALTER TABLE ONLY former_addresses
    ADD CONSTRAINT former_addresses_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id);
ALTER TABLE ONLY fulfillments
    ADD CONSTRAINT fulfillments_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id);
ALTER TABLE ONLY invoice_links
    ADD CONSTRAINT invoice_links_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id);
ALTER TABLE ONLY invoice_requests
    ADD CONSTRAINT invoice_requests_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id);
ALTER TABLE ONLY order_events
    ADD CONSTRAINT order_events_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id);
ALTER TABLE ONLY order_lines
    ADD CONSTRAINT order_lines_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id);
ALTER TABLE ONLY outbox
    ADD CONSTRAINT outbox_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id);
ALTER TABLE ONLY product_events
    ADD CONSTRAINT product_events_product_id_fkey FOREIGN KEY (product_id) REFERENCES products(id);
ALTER TABLE ONLY refunds
    ADD CONSTRAINT refunds_attempt_id_fkey FOREIGN KEY (attempt_id) REFERENCES attempts(id);
ALTER TABLE ONLY refunds
    ADD CONSTRAINT refunds_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id);
ALTER TABLE ONLY reservations
    ADD CONSTRAINT reservations_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id);
SELECT setval('order_events_id_seq', 1000);
