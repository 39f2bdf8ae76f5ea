//! The input of a terminal: the values of one transaction, as they were drawn.

use super::delivery::Delivery;
use super::new_order::Order;
use super::order_status::OrderStatus;
use super::payment::Payment;
use super::stock_level::StockLevel;

/// What was typed into the terminal; the same when a transaction is retried.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::large_enum_variant, reason = "each terminal has one, in place; a box would be got for each order")]
pub(super) enum Input {
    NewOrder(Order),
    Payment(Payment),
    OrderStatus(OrderStatus),
    Delivery(Delivery),
    StockLevel(StockLevel),
}
