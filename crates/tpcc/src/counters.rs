//! What a run must report besides its response times (clause 5.5.1 and what auditors ask for), counted with the transactions that
//! completed, so that every share on the page can be recomputed from the stored events.

/// A counter by its place in [`NAMES`].
#[derive(Debug, Clone, Copy)]
#[repr(u16)]
pub(super) enum C {
    RolledBack,
    Lines,
    RemoteLines,
    RemoteOrders,
    RemotePayments,
    PaymentsByName,
    BadCredit,
    StatusByName,
    Deliveries,
    SkippedDistricts,
    SkippedDeliveries,
    DeferredQueued,
    DeferredDone,
    DeferredLate,
    DeferredMs,
    DeferredRetries,
    DeferredFailed,
}

/// The names of the counters, as tallies carry them.
pub(super) const NAMES: [&str; 17] = [
    "new_order_rolled_back",
    "new_order_lines",
    "new_order_remote_lines",
    "new_order_remote",
    "payment_remote",
    "payment_by_name",
    "payment_bad_credit",
    "order_status_by_name",
    "delivery_districts",
    "delivery_districts_skipped",
    "delivery_skipped",
    "delivery_deferred_queued",
    "delivery_deferred_done",
    "delivery_deferred_late",
    "delivery_deferred_ms",
    "delivery_deferred_retries",
    "delivery_deferred_failed",
];
