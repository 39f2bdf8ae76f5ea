//! The transactions and counters of the workload `tpcc`, as recordings name them: what the workload counts and what the
//! verdict reads.

/// One of the five transactions, in the order of the specification (clause 5.2.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(usize)]
pub enum TransactionType {
    /// New-Order (clause 2.4).
    NewOrder,
    /// Payment (clause 2.5).
    Payment,
    /// Order-Status (clause 2.6).
    OrderStatus,
    /// Delivery (clause 2.7).
    Delivery,
    /// Stock-Level (clause 2.8).
    StockLevel,
}

impl TransactionType {
    /// All five.
    pub const ALL: [TransactionType; 5] = {
        use TransactionType::{Delivery, NewOrder, OrderStatus, Payment, StockLevel};
        [NewOrder, Payment, OrderStatus, Delivery, StockLevel]
    };

    /// The name in tallies; also that of the option with its share of the mix.
    pub const fn name(self) -> &'static str {
        match self {
            TransactionType::NewOrder => "new_order",
            TransactionType::Payment => "payment",
            TransactionType::OrderStatus => "order_status",
            TransactionType::Delivery => "delivery",
            TransactionType::StockLevel => "stock_level",
        }
    }

    /// The name in the specification.
    pub const fn title(self) -> &'static str {
        match self {
            TransactionType::NewOrder => "New-Order",
            TransactionType::Payment => "Payment",
            TransactionType::OrderStatus => "Order-Status",
            TransactionType::Delivery => "Delivery",
            TransactionType::StockLevel => "Stock-Level",
        }
    }
}

/// An enum whose variants are declared with their names in tallies.
macro_rules! counters {
    ($(#[$of:meta])* pub enum $Counter:ident { $($(#[$about:meta])* $Variant:ident = $name:literal,)* }) => {
        $(#[$of])*
        pub enum $Counter { $($(#[$about])* $Variant,)* }

        impl $Counter {
            /// All of them, each at the index of its number.
            pub const ALL: &[$Counter] = &[$($Counter::$Variant,)*];

            /// The name in tallies.
            pub const fn name(self) -> &'static str {
                match self { $($Counter::$Variant => $name,)* }
            }
        }
    };
}

counters! {
    /// What a run must show beside its response times (clause 5.5.1): counted with the transactions that completed, so
    /// that every share on the page can be recomputed from the stored events.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    #[repr(u16)]
    pub enum Counter {
        /// New-Orders that were rolled back, as one in a hundred is.
        RolledBack = "new_order_rolled_back",
        /// Order lines.
        Lines = "new_order_lines",
        /// Those of them supplied by another warehouse.
        RemoteLines = "new_order_remote_lines",
        /// New-Orders with such a line.
        RemoteOrders = "new_order_remote",
        /// Payments of a customer of another warehouse.
        RemotePayments = "payment_remote",
        /// Payments whose customer was selected by last name.
        PaymentsByName = "payment_by_name",
        /// Payments of a customer with bad credit.
        BadCredit = "payment_bad_credit",
        /// Order-Status transactions whose customer was selected by last name.
        StatusByName = "order_status_by_name",
        /// Orders delivered.
        Deliveries = "delivery_districts",
        /// Districts without an order to deliver.
        SkippedDistricts = "delivery_districts_skipped",
        /// Deliveries with such a district.
        SkippedDeliveries = "delivery_skipped",
        /// Deliveries queued.
        DeferredQueued = "delivery_deferred_queued",
        /// Queued deliveries executed.
        DeferredDone = "delivery_deferred_done",
        /// Those of them that took more than 80 s.
        DeferredLate = "delivery_deferred_late",
        /// The time they took, milliseconds.
        DeferredMs = "delivery_deferred_ms",
        /// Retries of them.
        DeferredRetries = "delivery_deferred_retries",
        /// Those that failed.
        DeferredFailed = "delivery_deferred_failed",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_stands_at_its_number() {
        assert!(TransactionType::ALL.iter().enumerate().all(|(at, t)| *t as usize == at));
        assert!(Counter::ALL.iter().enumerate().all(|(at, c)| *c as usize == at));
    }
}
