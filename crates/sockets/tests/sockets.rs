//! Real sockets in a real runtime: who is woken, by what, and when.

#![expect(clippy::unwrap_used, reason = "a test may")]

use std::future::{Future, poll_fn};
use std::io::{ErrorKind, Read, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::JoinHandle;
use std::time::Duration;
use tenbin_sockets::{Poller, Socket};

/// Runs `test` with a poller and a pair of connected sockets.
fn with<F: Future<Output = ()>>(test: impl FnOnce(Poller, Socket, UnixStream) -> F) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let _entered = Poller::enter().unwrap();
        let poller = Poller::current().unwrap();
        let (ours, theirs) = UnixStream::pair().unwrap();
        ours.set_nonblocking(true).unwrap();
        test(poller.clone(), Socket::new(&poller, ours.into()).unwrap(), theirs).await;
    });
    assert!(Poller::current().is_none(), "it is the thread's only for as long as it was entered");
}

/// Counts how often it was woken.
#[derive(Default)]
struct Counter(AtomicU32);

impl Wake for Counter {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

fn counter() -> (Arc<Counter>, Waker) {
    let counter = Arc::new(Counter::default());
    (counter.clone(), Waker::from(counter))
}

/// What the kernel has to report by now.
fn look(poller: &Poller) -> Vec<u32> {
    let mut ready = Vec::new();
    assert!(!poller.look(Duration::ZERO, &mut ready));
    ready
}

/// Writes a byte when the task that waits for it has gone to sleep.
fn written_later(mut theirs: UnixStream) -> JoinHandle<UnixStream> {
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(20));
        theirs.write_all(b"z").unwrap();
        theirs
    })
}

fn receive(socket: &Socket, waker: &Waker) -> Poll<Result<Vec<u8>, ErrorKind>> {
    let mut buffer = [0; 16];
    let received = socket.poll_receive(&mut Context::from_waker(waker), &mut buffer);
    received.map(|received| received.map(|n| buffer[..n].to_vec()).map_err(|e| e.kind()))
}

fn got(bytes: &[u8]) -> Poll<Result<Vec<u8>, ErrorKind>> {
    Poll::Ready(Ok(bytes.to_vec()))
}

#[test]
fn the_task_that_waits_is_told_once_and_its_waker_is_not_used() {
    with(async |poller, socket, mut theirs| {
        let (woken, waker) = counter();
        poller.begin(7, &waker);
        assert_eq!(receive(&socket, &waker), Poll::Pending);
        poller.end();
        assert_eq!(look(&poller), [], "nothing has come yet");
        theirs.write_all(b"one").unwrap();
        theirs.write_all(b" two").unwrap();
        assert_eq!(look(&poller), [7]);
        assert_eq!(look(&poller), [], "it was told");
        assert_eq!(receive(&socket, &waker), got(b"one two"));
        theirs.write_all(b"three").unwrap();
        assert_eq!(look(&poller), [], "no client waits");
        assert_eq!(receive(&socket, &waker), got(b"three"), "and nothing is lost");
        assert_eq!(woken.0.load(Ordering::SeqCst), 0);
    });
}

#[test]
fn a_waker_of_another_future_is_woken() {
    with(async |poller, socket, mut theirs| {
        let ((tasks, task), (woken, elsewhere)) = (counter(), counter());
        poller.begin(7, &task);
        assert_eq!(receive(&socket, &elsewhere), Poll::Pending);
        poller.end();
        theirs.write_all(b"x").unwrap();
        assert_eq!(look(&poller), []);
        assert_eq!((woken.0.load(Ordering::SeqCst), tasks.0.load(Ordering::SeqCst)), (1, 0));

        // The last one that waits counts, whichever it is.
        assert_eq!(receive(&socket, &elsewhere), got(b"x"));
        assert_eq!(receive(&socket, &elsewhere), Poll::Pending);
        poller.begin(8, &task);
        assert_eq!(receive(&socket, &task), Poll::Pending);
        poller.end();
        theirs.write_all(b"y").unwrap();
        assert_eq!(look(&poller), [8]);
        assert_eq!(woken.0.load(Ordering::SeqCst), 1);
    });
}

#[test]
fn an_end_that_came_with_the_last_bytes_is_read() {
    with(async |poller, socket, mut theirs| {
        let (_, waker) = counter();
        poller.begin(1, &waker);
        assert_eq!(receive(&socket, &waker), Poll::Pending);
        theirs.write_all(b"bye").unwrap();
        theirs.shutdown(Shutdown::Write).unwrap();
        assert_eq!(look(&poller), [1]);
        assert_eq!(receive(&socket, &waker), got(b"bye"), "a short read");
        assert_eq!(receive(&socket, &waker), got(b""), "the kernel will not tell again");
        assert_eq!(receive(&socket, &waker), got(b""));
    });
}

#[test]
fn an_end_that_comes_later_is_told() {
    with(async |poller, socket, mut theirs| {
        let (_, waker) = counter();
        poller.begin(1, &waker);
        theirs.write_all(b"bye").unwrap();
        assert_eq!(receive(&socket, &waker), got(b"bye"));
        assert_eq!(receive(&socket, &waker), Poll::Pending);
        drop(theirs);
        assert_eq!(look(&poller), [1]);
        assert_eq!(receive(&socket, &waker), got(b""));
        assert!(socket.try_send(b"x").is_err(), "an error, not a signal");
    });
}

#[test]
fn what_is_not_accepted_at_once_is_sent_when_there_is_space_again() {
    with(async |poller, socket, mut theirs| {
        let (_, waker) = counter();
        let piece = [7; 4096];
        let mut sent = 0;
        loop {
            match socket.try_send(&piece).unwrap() {
                0 => break,
                n => sent += n,
            }
        }
        look(&poller);
        poller.begin(3, &waker);
        let mut cx = Context::from_waker(&waker);
        assert!(socket.poll_send(&mut cx, &piece).is_pending());
        assert_eq!(look(&poller), []);
        let mut came = vec![0; sent];
        theirs.read_exact(&mut came).unwrap();
        assert_eq!(look(&poller), [3]);
        assert!(matches!(socket.poll_send(&mut cx, &piece), Poll::Ready(Ok(n)) if n > 0));
    });
}

#[test]
fn whatever_has_come_is_read_piece_by_piece_without_being_told_again() {
    with(async |poller, socket, mut theirs| {
        let (_, waker) = counter();
        poller.begin(1, &waker);
        assert_eq!(receive(&socket, &waker), Poll::Pending);
        theirs.write_all(&[5; 40]).unwrap();
        assert_eq!(look(&poller), [1]);
        assert_eq!(receive(&socket, &waker), got(&[5; 16]));
        assert_eq!(receive(&socket, &waker), got(&[5; 16]));
        assert_eq!(receive(&socket, &waker), got(&[5; 8]));
        assert_eq!(receive(&socket, &waker), Poll::Pending);
    });
}

#[test]
fn the_runtime_wakes_who_looks() {
    with(async |poller, socket, theirs| {
        let (_, waker) = counter();
        poller.begin(5, &waker);
        assert_eq!(receive(&socket, &waker), Poll::Pending);
        poller.end();
        let (mut theirs, mut writer) = (Some(theirs), None);
        let answer = poll_fn(|cx| {
            poller.wake_on_arrival(cx);
            let ready = look(&poller);
            // Nothing is written before it has to wait.
            writer = writer.take().or_else(|| theirs.take().map(written_later));
            if ready.is_empty() { Poll::Pending } else { Poll::Ready(ready) }
        });
        assert_eq!(tokio::time::timeout(Duration::from_secs(60), answer).await.unwrap(), [5]);
        writer.unwrap().join().unwrap();
    });
}

#[test]
fn who_looks_may_sleep_until_something_comes() {
    with(async |poller, socket, theirs| {
        let (_, waker) = counter();
        poller.begin(5, &waker);
        assert_eq!(receive(&socket, &waker), Poll::Pending);
        poller.end();
        // It accepts data, which is reported first.
        assert_eq!(look(&poller), []);
        let writer = written_later(theirs);
        let mut ready = Vec::new();
        assert!(!poller.look(Duration::from_secs(60), &mut ready));
        assert_eq!(ready, [5], "the first call has waited for it");
        writer.join().unwrap();
        assert!(!poller.look(Duration::from_millis(1), &mut ready), "it ends, too, if nothing comes");
        assert_eq!(ready, [5]);
    });
}

#[test]
fn sockets_are_awaited_until_they_are_told_of_or_closed() {
    with(async |poller, socket, mut theirs| {
        let ((_, task), (_, elsewhere)) = (counter(), counter());
        let (other, _open) = UnixStream::pair().unwrap();
        other.set_nonblocking(true).unwrap();
        let other = Socket::new(&poller, other.into()).unwrap();
        assert_eq!(poller.awaited(), 0);
        poller.begin(5, &task);
        assert_eq!(receive(&socket, &elsewhere), Poll::Pending);
        assert_eq!(receive(&socket, &task), Poll::Pending);
        assert_eq!(poller.awaited(), 1, "the last one that waits");
        assert_eq!(receive(&other, &elsewhere), Poll::Pending);
        assert_eq!(poller.awaited(), 2);
        theirs.write_all(b"x").unwrap();
        assert_eq!(look(&poller), [5]);
        assert_eq!(poller.awaited(), 1);
        drop(other);
        assert_eq!(poller.awaited(), 0);
        drop(socket);
        assert_eq!(poller.awaited(), 0);
    });
}

#[test]
fn keys_are_used_again_and_what_was_told_of_the_former_socket_is_forgotten() {
    with(async |poller, socket, mut theirs| {
        let (_, waker) = counter();
        poller.begin(1, &waker);
        assert_eq!(receive(&socket, &waker), Poll::Pending);
        theirs.write_all(b"for nobody").unwrap();
        drop(theirs);
        drop(socket);
        let (ours, mut theirs) = UnixStream::pair().unwrap();
        ours.set_nonblocking(true).unwrap();
        let socket = Socket::new(&poller, ours.into()).unwrap();
        assert_eq!(receive(&socket, &waker), Poll::Pending);
        assert_eq!(look(&poller), [], "the end was the other one's");
        theirs.write_all(b"mine").unwrap();
        assert_eq!(look(&poller), [1]);
        assert_eq!(receive(&socket, &waker), got(b"mine"));
    });
}

#[test]
fn on_another_thread_a_socket_is_an_error_and_not_silent() {
    with(async |_, socket, mut theirs| {
        theirs.write_all(b"x").unwrap();
        let there = std::thread::spawn(move || receive(&socket, Waker::noop()));
        assert_eq!(there.join().unwrap(), Poll::Ready(Err(ErrorKind::Other)));
    });
}
