"""Places load hosts on the nodes of a Ray cluster, all of them or none, and connects them with this process.

    tenbin-ray --address HEAD:PORT --hosts N [--carry NAME=FILE]... -- PROGRAM [ARGUMENT]...

Each host is a process of its own node. The files are carried to its working directory. The first line on standard output is one JSON
object: {"placed": [name of each node]}, or {"refused": why, ...}. From then on, hosts have the numbers from 0 on:

    standard input     "N LINE"   a line for host N          "N"        no more for host N
    standard output    "N LINE"   a line of host N           "N! WHY"   host N has ended

The end of standard input ends all hosts.
"""

import argparse
import json
import os
import queue
import re
import shutil
import socket
import sys
import tempfile
import threading

# How long the head may take to accept a connection, seconds.
CONNECT_S = 5
# How long the cluster may take to reserve a processor on each node, and the nodes to start their hosts, seconds.
RESERVE_S = 10
START_S = 60


class Refused(Exception):
    """The hosts cannot be placed."""

    def __init__(self, why, **facts):
        super().__init__(why)
        self.line = {"refused": why, **facts}


class Connection:
    """Standard output, for several threads, and for nothing else: what Ray prints goes to standard error."""

    def __init__(self):
        self._out = os.fdopen(os.dup(1), "wb")
        os.dup2(2, 1)
        self._lock = threading.Lock()

    def write(self, line):
        with self._lock:
            self._out.write(line)
            self._out.flush()


def main():
    arguments = parse()
    connection = Connection()
    with tempfile.TemporaryDirectory(prefix="tenbin-ray-") as folder:
        try:
            hosts, names, group = place(arguments, folder)
        except Refused as refused:
            connection.write(json.dumps(refused.line).encode() + b"\n")
            return 1
        connection.write(json.dumps({"placed": names}).encode() + b"\n")
        serve(hosts, connection)
        end(hosts, group)
    return 0


def parse():
    parser = argparse.ArgumentParser(prog="tenbin-ray", description="Places the load hosts of Tenbin on a Ray cluster.")
    parser.add_argument("--address", required=True, help="the head of the cluster, HOST:PORT")
    parser.add_argument("--hosts", required=True, type=int, help="how many, each on a node of its own")
    parser.add_argument("--carry", action="append", default=[], metavar="NAME=FILE", help="a file that the hosts need")
    parser.add_argument("command", nargs="+", help="the program of a host and its arguments")
    return parser.parse_args()


def place(arguments, folder):
    """The hosts, the names of their nodes, and what keeps a place for them."""
    answers(arguments.address)
    try:
        import ray
        from ray.util.placement_group import placement_group
        from ray.util.scheduling_strategies import PlacementGroupSchedulingStrategy
    except ImportError as error:
        raise Refused("no-ray", evidence=str(error)) from error

    for carried in arguments.carry:
        name, _, path = carried.partition("=")
        to = os.path.join(folder, name)
        os.makedirs(os.path.dirname(to), exist_ok=True)
        shutil.copy(path, to)
    here = os.path.dirname(os.path.abspath(__file__))
    try:
        environment = {"working_dir": folder, "py_modules": [here]}
        ray.init(address=arguments.address, runtime_env=environment, log_to_driver=False, logging_level="ERROR")
    except Exception as error:  # Ray raises whatever its parts do.
        raise Refused("no-connection", evidence=reason(error)) from error

    nodes = [node for node in ray.nodes() if node["Alive"]]
    able = [node for node in nodes if node["Resources"].get("CPU", 0) >= 1]
    if len(able) < arguments.hosts:
        raise Refused("too-few-nodes", there=len(able), names=sorted((node["NodeName"] for node in able), key=in_order))
    group = placement_group([{"CPU": 1}] * arguments.hosts, strategy="STRICT_SPREAD")
    try:
        ray.get(group.ready(), timeout=RESERVE_S)
    except ray.exceptions.GetTimeoutError as error:
        raise Refused("nodes-busy", seconds=RESERVE_S, evidence=busy(ray)) from error

    from tenbin_ray.load_host import LoadHost

    def on(bundle):
        return PlacementGroupSchedulingStrategy(group, placement_group_bundle_index=bundle)

    hosts = [
        LoadHost.options(scheduling_strategy=on(bundle)).remote(arguments.command) for bundle in range(arguments.hosts)
    ]
    try:
        ids = ray.get([host.node.remote() for host in hosts], timeout=START_S)
    except Exception as error:
        raise Refused("not-started", evidence=reason(error)) from error
    names = {node["NodeID"]: node["NodeName"] for node in nodes}
    placed = sorted(zip([names.get(node, node) for node in ids], hosts), key=lambda host: in_order(host[0]))
    return [host for _, host in placed], [name for name, _ in placed], group


def in_order(name):
    """Numbers in names by their value: load-2 before load-10."""
    return [part.zfill(20) if part.isdigit() else part for part in re.split(r"(\d+)", name)]


def answers(address):
    """Ray itself would wait for minutes if there is no answer."""
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=CONNECT_S).close()
    except OSError as error:
        raise Refused("no-answer", evidence=str(error)) from error


def busy(ray):
    free, total = ray.available_resources(), ray.cluster_resources()
    return f"CPU free: {free.get('CPU', 0):g} of {total.get('CPU', 0):g}"


def reason(error):
    """The line of an error that says most: Ray adds traces and advice around it."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    saying = [line for line in lines if re.search(r"Error|Exception|denied|token|[Vv]ersion|exceed", line)]
    return (saying or lines or [type(error).__name__])[-1][:400]


def serve(hosts, connection):
    """Passes lines on until standard input ends."""
    orders = [queue.SimpleQueue() for _ in hosts]
    for number, host in enumerate(hosts):
        threading.Thread(target=pass_orders, args=(host, orders[number]), daemon=True).start()
        threading.Thread(target=pass_reports, args=(number, host, connection), daemon=True).start()
    for line in sys.stdin.buffer:
        number, _, order = line.partition(b" ")
        orders[int(number)].put(order or None)


def pass_orders(host, orders):
    """One call at a time, with all lines that have come since: so they stay in order."""
    import ray

    try:
        while True:
            lines = [orders.get()]
            while lines[-1] is not None and not orders.empty():
                lines.append(orders.get())
            closed = lines[-1] is None
            text = b"".join(line for line in lines if line is not None)
            if text:
                ray.get(host.order.remote(text))
            if closed:
                ray.get(host.close.remote())
                return
    except ray.exceptions.RayError:
        # The thread that passes its reports on says why it has ended.
        pass


def pass_reports(number, host, connection):
    import ray

    try:
        for report in host.reports.remote():
            connection.write(b"%d %s" % (number, ray.get(report)))
        why = ray.get(host.ended.remote())
    except Exception as error:
        why = reason(error)
    connection.write(b"%d! %s\n" % (number, why.replace("\n", " ").encode()))


def end(hosts, group):
    """Ends all hosts. Those that closed their input have done so by themselves."""
    import ray
    from ray.util.placement_group import remove_placement_group

    for host in hosts:
        ray.kill(host)
    remove_placement_group(group)
    ray.shutdown()


if __name__ == "__main__":
    sys.exit(main())
