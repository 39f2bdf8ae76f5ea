//! The hot path allocates nothing but the future of each transaction, which is made before its first statement is sent.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use tenbin_driver::{Connector, Transport};
use tenbin_model::dsn::Dsn;
use tenbin_workload::TransactionContext;
use tenbin_workloads::{workload, workloads};

struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: every call goes on to the system's allocator unchanged; counting touches only a const thread-local.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: the caller keeps to the same contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps to the same contract.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: the caller keeps to the same contract.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn a_transaction_allocates_its_future_and_nothing_else() {
    for entry in workloads().iter().filter(|w| w.needs_database() && w.dataset != "none") {
        for mode in ["auto", "disable"] {
            let connector = Connector::new(Dsn::parse("null:").unwrap(), None).unwrap();
            let has_mode = entry.rows().iter().any(|r| r.name == "ps_mode");
            let given = if has_mode { [("ps_mode".to_owned(), mode.to_owned())].into() } else { [].into() };
            let work = workload(entry.name, &given, connector).unwrap();
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                let mut client = work.client(0, 1, 1);
                client.connect(Transport::Alone).await.unwrap();
                let mut context = TransactionContext::default();
                for _ in 0..100 {
                    context.records.clear();
                    context.counts.clear();
                    client.transaction(&mut context).await.unwrap();
                }
                let before = ALLOCATIONS.get();
                for _ in 0..100 {
                    context.records.clear();
                    context.counts.clear();
                    client.transaction(&mut context).await.unwrap();
                }
                assert_eq!(ALLOCATIONS.get() - before, 100, "{} {mode}", entry.name);
            });
        }
    }
}
