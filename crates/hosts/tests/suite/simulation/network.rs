//! The world of a case: hosts and the connections to them on one paused clock. The coordinator sees it as its [`Network`].

use super::case::{Case, Fate};
use super::draw::Draw;
use super::host::{Diary, SimulatedHost};
use super::link::Link;
use super::terminals::{Ledger, Terminals};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;
use tenbin_hosts::network::{Arrival, Arrived, Network};
use tenbin_hosts::protocol::{Numbered, Order};
use tokio::runtime::{Builder, LocalOptions, LocalRuntime};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::Instant;

const PROBE_EVERY: Duration = Duration::from_millis(500);

/// Everything that the coordinator does not do.
pub struct World {
    runtime: LocalRuntime,
    epoch: Instant,
    arrived: UnboundedReceiver<Arrival>,
    /// Kept, so that waiting takes its time if all connections are gone.
    _arrive: UnboundedSender<Arrival>,
    pub hosts: Vec<Connected>,
}

/// A host, seen from the coordinator and from itself.
pub struct Connected {
    /// `None`: the coordinator has closed the connection.
    orders: Option<UnboundedSender<Option<Order>>>,
    heard_ns: Rc<Cell<u64>>,
    pub diary: Rc<RefCell<Diary>>,
    pub ledger: Arc<Mutex<Ledger>>,
    /// The coordinator has closed the connection.
    pub is_closed: bool,
}

impl World {
    pub fn new(case: &Case) -> World {
        let runtime = Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build_local(LocalOptions::default())
            .unwrap();
        let (tell, arrived) = unbounded_channel();
        let (epoch, hosts) = runtime.block_on(async {
            let epoch = Instant::now();
            let hosts = case.fates.iter().enumerate();
            (epoch, hosts.map(|(number, fate)| connect(case, number, fate, epoch, &tell)).collect())
        });
        World { runtime, epoch, arrived, _arrive: tell, hosts }
    }

    /// The start of the simulation.
    pub fn began(&self) -> std::time::Instant {
        self.epoch.into_std()
    }

    /// The workload as the coordinator knows it.
    pub fn terminals(&self, case: &Case) -> Terminals {
        Terminals { habits: case.habits, epoch: self.epoch, ledger: Arc::default() }
    }

    /// Lets this much time pass.
    pub fn pass(&self, time: Duration) {
        self.runtime.block_on(async { tokio::time::sleep(time).await });
    }
}

fn connect(case: &Case, number: usize, fate: &Fate, epoch: Instant, tell: &UnboundedSender<Arrival>) -> Connected {
    let draw = |stream: u64| Draw::new(case.seed, stream * 100_000 + number as u64);
    let (mut down, far_orders) = Link::new(fate.down.clone(), draw(1), epoch);
    let (up, mut far_reports) = Link::new(fate.up.clone(), draw(2), epoch);
    let (diary, ledger): (Rc<RefCell<Diary>>, Arc<Mutex<Ledger>>) = Default::default();
    let terminals = Terminals { habits: case.habits, epoch, ledger: ledger.clone() };
    let host = SimulatedHost { clock: fate.clock, epoch, terminals, diary: diary.clone(), reports: (up, 0).into() };
    tokio::task::spawn_local(Rc::new(host).serve(far_orders, fate.dies.map(|after| epoch + after)));

    let (orders, mut to_send) = unbounded_channel::<Option<Order>>();
    tokio::task::spawn_local(async move {
        let mut probed = Instant::now();
        let mut numbers = 0..;
        loop {
            let message = match tokio::time::timeout_at(probed + PROBE_EVERY, to_send.recv()).await {
                Ok(Some(Some(order))) => order,
                Ok(None) => return down.send(None),
                Ok(Some(None)) | Err(_) => {
                    probed = Instant::now();
                    Order::Probe { sent_ns: (probed - epoch).as_nanos() as u64 }
                }
            };
            let number = numbers.next().unwrap();
            down.send(Some(Numbered { number, message }.line().unwrap()));
        }
    });

    let (tell, heard_ns) = (tell.clone(), Rc::new(Cell::new(0)));
    let heard = heard_ns.clone();
    tokio::task::spawn_local(async move {
        while let Some(carried) = far_reports.recv().await {
            let at_ns = epoch.elapsed().as_nanos() as u64;
            let what = carried.as_ref().map_or(Arrived::End, |line| {
                heard.set(at_ns);
                Arrived::Report(serde_json::from_slice(line).unwrap())
            });
            let _ = tell.send(Arrival { host: number, at_ns, what });
        }
    });
    Connected { orders: Some(orders), heard_ns, diary, ledger, is_closed: false }
}

/// What the coordinator does.
enum Action {
    Send(usize, Order),
    Probe(usize),
    Close(usize),
    Receive(Duration),
}

/// What it knows after it has waited.
struct News {
    now_ns: u64,
    arrivals: Vec<Arrival>,
    /// By host.
    heard_ns: Vec<u64>,
}

impl World {
    /// Runs the coordinator on a thread of its own: the runtime cannot leave this one. Time passes while the coordinator waits.
    pub fn coordinate<T: Send>(&mut self, coordinator: impl FnOnce(Seen) -> T + Send) -> T {
        let ((act, actions), (tell, news)) = (mpsc::channel(), mpsc::channel());
        let view = Seen { hosts: self.hosts.len(), began: self.began(), act, news, now_ns: 0, heard_ns: Vec::new() };
        std::thread::scope(|scope| {
            let coordinator = scope.spawn(move || coordinator(view));
            for action in actions {
                match action {
                    Action::Send(host, order) => self.hand_over(host, Some(order)),
                    Action::Probe(host) => self.hand_over(host, None),
                    Action::Close(host) => {
                        self.hosts[host].orders = None;
                        self.hosts[host].is_closed = true;
                    }
                    Action::Receive(patience) => _ = tell.send(self.receive(patience)),
                }
            }
            self.hosts.iter_mut().for_each(|host| host.orders = None);
            coordinator.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    }

    fn hand_over(&self, host: usize, order: Option<Order>) {
        let _ = self.hosts[host].orders.as_ref().expect("the connection is open").send(order);
    }

    fn receive(&mut self, patience: Duration) -> News {
        let World { runtime, epoch, arrived, hosts, .. } = self;
        runtime.block_on(async {
            let first = tokio::time::timeout(patience, arrived.recv()).await.ok().flatten();
            let arrivals = first.into_iter().chain(std::iter::from_fn(|| arrived.try_recv().ok())).collect();
            let heard_ns = hosts.iter().map(|host| host.heard_ns.get()).collect();
            News { now_ns: epoch.elapsed().as_nanos() as u64, arrivals, heard_ns }
        })
    }
}

/// The coordinator's view of a [`World`].
pub struct Seen {
    hosts: usize,
    began: std::time::Instant,
    act: mpsc::Sender<Action>,
    news: mpsc::Receiver<News>,
    now_ns: u64,
    heard_ns: Vec<u64>,
}

impl Seen {
    fn act(&self, action: Action) {
        self.act.send(action).expect("the world goes on");
    }
}

impl Network for Seen {
    fn names(&self) -> Vec<String> {
        (0..self.hosts).map(|number| format!("host {number}")).collect()
    }

    fn now_ns(&self) -> u64 {
        self.now_ns
    }

    fn instant(&self, at_ns: u64) -> std::time::Instant {
        self.began + Duration::from_nanos(at_ns)
    }

    fn send(&self, host: usize, order: Order) {
        self.act(Action::Send(host, order));
    }

    fn probe(&self, host: usize) {
        self.act(Action::Probe(host));
    }

    fn receive(&mut self, patience: Duration) -> Vec<Arrival> {
        self.act(Action::Receive(patience));
        let News { now_ns, arrivals, heard_ns } = self.news.recv().expect("the world goes on");
        (self.now_ns, self.heard_ns) = (now_ns, heard_ns);
        arrivals
    }

    fn heard_ns(&self, host: usize) -> u64 {
        self.heard_ns.get(host).copied().unwrap_or(0)
    }

    fn last_words(&mut self, _: usize, _: Duration) -> Option<String> {
        None
    }

    fn close(&mut self, host: usize) {
        self.act(Action::Close(host));
    }
}
