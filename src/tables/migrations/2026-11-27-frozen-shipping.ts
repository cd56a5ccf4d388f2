import { type Kysely, type Migration, sql } from 'kysely';

/** An order freezes its shipping option. Fills the orders of the version before, which stored its id and its order line. */
export const frozenShipping: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table orders add column shipping_label text`.execute(db);
    await sql`alter table orders add column shipping_kind text`.execute(db);
    await sql`alter table orders add column shipping_price bigint`.execute(db);
    await sql`alter table orders add column shipping_days_min integer`.execute(db);
    await sql`alter table orders add column shipping_days_max integer`.execute(db);
    const line = (column: string) =>
      sql`(select ${sql.ref(column)} from order_lines where order_id = orders.id and product_id = 'shipping')`;
    await sql`update orders set
      shipping_label = coalesce(${line('name')}, case
        when shipping_option = 'standard' then case locale when 'en' then 'Home delivery' else 'Envío a domicilio' end
        when shipping_option = 'pickup' then case locale when 'en' then 'Store pickup' else 'Recoger en la tienda' end
        when shipping_option = 'none' then case locale when 'en' then 'No shipping' else 'Sin envío' end
      end),
      shipping_kind = case when shipping_option in ('pickup', 'none') then shipping_option else 'delivery' end,
      shipping_price = coalesce(${line('unit_price')}, 0),
      shipping_days_min = case shipping_option when 'standard' then 3 end,
      shipping_days_max = case shipping_option when 'standard' then 10 end`.execute(db);
  },
};
