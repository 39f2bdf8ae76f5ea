//! The network interface through which this machine reaches an address, as the kernel's routing decides: by
//! `RTM_GETROUTE` (rtnetlink(7)), as `ip route get` does.

use rustix::io::Errno;
use rustix::net::{AddressFamily, RecvFlags, SendFlags, SocketType, netdevice};
use std::net::{IpAddr, ToSocketAddrs};
use tenbin_model::dsn::Dsn;

/// A network interface.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Interface {
    /// Its number. An interface that was removed and created again has another one.
    pub index: u32,
    /// Its name: `eth0`.
    pub name: String,
}

/// The address of a server's host, the first that its name stands for; `None` if it is not reached over a network, or the
/// name is not known.
pub fn host(dsn: &Dsn) -> Option<IpAddr> {
    if !dsn.scheme.kind().is_server || dsn.is_local() {
        return None;
    }
    (dsn.host.as_str(), 0).to_socket_addrs().ok()?.next().map(|address| address.ip())
}

/// The interface of the route to an address; `lo` if it is one of this machine. Fails if there is no route.
pub fn interface(to: IpAddr) -> Result<Interface, Errno> {
    // The protocol of number 0 is NETLINK_ROUTE.
    let socket = rustix::net::socket(AddressFamily::NETLINK, SocketType::RAW, None)?;
    rustix::net::send(&socket, &request(to), SendFlags::empty())?;
    let mut reply = [0; 4096];
    let (length, _) = rustix::net::recv(&socket, &mut reply, RecvFlags::empty())?;
    let index = outgoing(&reply[..length])?;
    Ok(Interface { index, name: netdevice::index_to_name(&socket, index)? })
}

// From linux/netlink.h and linux/rtnetlink.h.
const RTM_NEWROUTE: u16 = 24;
const RTM_GETROUTE: u16 = 26;
const NLMSG_ERROR: u16 = 2;
const NLM_F_REQUEST: u16 = 1;
const RTA_DST: u16 = 1;
const RTA_OIF: u16 = 4;
/// The lengths of `nlmsghdr` and `rtmsg`.
const HEADERS: usize = 16 + 12;

/// The message that asks for the route to an address: `nlmsghdr`, `rtmsg`, and the attribute with the address.
fn request(to: IpAddr) -> Vec<u8> {
    let (family, address) = match to {
        IpAddr::V4(v4) => (AddressFamily::INET, v4.octets().to_vec()),
        IpAddr::V6(v6) => (AddressFamily::INET6, v6.octets().to_vec()),
    };
    let length = (HEADERS + 4 + address.len()) as u32;
    let mut message = length.to_ne_bytes().to_vec();
    message.extend(RTM_GETROUTE.to_ne_bytes());
    message.extend(NLM_F_REQUEST.to_ne_bytes());
    message.extend([0; 8]);
    message.extend([family.as_raw() as u8, 8 * address.len() as u8]);
    message.extend([0; 10]);
    message.extend((4 + address.len() as u16).to_ne_bytes());
    message.extend(RTA_DST.to_ne_bytes());
    message.extend(address);
    message
}

/// The number of the outgoing interface in the reply, or the kernel's error.
fn outgoing(reply: &[u8]) -> Result<u32, Errno> {
    let short = |at: usize| Some(u16::from_ne_bytes(reply.get(at..at + 2)?.try_into().ok()?));
    let long = |at: usize| Some(i32::from_ne_bytes(reply.get(at..at + 4)?.try_into().ok()?));
    match short(4) {
        Some(RTM_NEWROUTE) => {}
        Some(NLMSG_ERROR) => return Err(Errno::from_raw_os_error(-long(16).unwrap_or(0))),
        _ => return Err(Errno::PROTO),
    }
    let mut at = HEADERS;
    while let (Some(length), Some(kind)) = (short(at), short(at + 2)) {
        if kind == RTA_OIF {
            return long(at + 4).map(|index| index as u32).ok_or(Errno::PROTO);
        }
        // Attributes are aligned to four bytes; none is shorter than its header.
        at += usize::from(length.max(4)).next_multiple_of(4);
    }
    // A route without an interface: blackhole, unreachable.
    Err(Errno::NETUNREACH)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernel_tells_the_interface_of_a_route() {
        for own in ["127.0.0.1", "127.9.9.9", "::1"] {
            assert_eq!(interface(own.parse().unwrap()).unwrap().name, "lo", "{own}");
        }
        // 240.0.0.0/4 is reserved: no host has a route to the last address but by a default route.
        if let Ok(found) = interface("255.255.255.254".parse().unwrap()) {
            assert_ne!(found.name, "lo");
        }
    }

    #[test]
    fn only_servers_elsewhere_are_reached_over_a_network() {
        let of = |dsn: &str| host(&Dsn::parse(dsn).unwrap()).map(|ip| ip.to_string());
        assert_eq!(of("mysql://u@192.0.2.7:3306/d"), Some("192.0.2.7".into()));
        assert_eq!(of("postgres://u@[2001:db8::1]/d"), Some("2001:db8::1".into()));
        for here in
            ["mysql://u@127.0.0.1/d", "mysql://u@localhost/d", "mysql://u@h/d?socket=/run/s", "sqlite:/x", "null:"]
        {
            assert_eq!(of(here), None, "{here}");
        }
    }

    #[test]
    fn replies_that_are_none_are_no_route() {
        let reply = |kind: u16, rest: &[u8]| {
            let mut reply = vec![0; 4];
            reply.extend(kind.to_ne_bytes());
            reply.extend([0; 10]);
            reply.extend(rest);
            outgoing(&reply)
        };
        let error = i32::to_ne_bytes(-Errno::NETUNREACH.raw_os_error());
        assert_eq!(reply(NLMSG_ERROR, &error), Err(Errno::NETUNREACH));
        assert_eq!(reply(RTM_NEWROUTE, &[0; 12]), Err(Errno::NETUNREACH), "no attributes");
        assert_eq!(reply(RTM_NEWROUTE, &[0; 100]), Err(Errno::NETUNREACH), "attributes of no length end");
        let mut attributes = vec![0; 12];
        attributes.extend([5u16.to_ne_bytes(), 99u16.to_ne_bytes()].concat());
        attributes.extend([1, 0, 0, 0]);
        attributes.extend([8u16.to_ne_bytes(), RTA_OIF.to_ne_bytes()].concat());
        attributes.extend(7u32.to_ne_bytes());
        assert_eq!(reply(RTM_NEWROUTE, &attributes), Ok(7));
        assert_eq!(outgoing(&[]), Err(Errno::PROTO));
    }
}
