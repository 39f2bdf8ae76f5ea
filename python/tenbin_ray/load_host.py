"""The actor that runs one load host: a process of Tenbin on its node, whose standard input and output it passes on."""

import os
import subprocess
import threading

import ray

# So much of what the process writes to its standard error is kept, bytes.
KEPT = 4096
# How long the process may take to end, seconds.
PATIENCE_S = 2


# It is not restarted: a new host in the middle of a trial would be another load.
@ray.remote(num_cpus=1, max_restarts=0, max_task_retries=0, concurrency_groups={"orders": 1, "reports": 1})
class LoadHost:
    """One load host. Dropping the actor closes the input of the process, which then ends by itself."""

    def __init__(self, command):
        if command[0].startswith("./"):
            os.chmod(command[0], 0o700)
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe)
        self._errors = b""
        self._reader = threading.Thread(target=self._read_errors, daemon=True)
        self._reader.start()

    def node(self):
        """The ID of the node that it runs on."""
        return ray.get_runtime_context().get_node_id()

    @ray.method(concurrency_group="orders")
    def order(self, lines):
        """Passes lines to the process."""
        self._process.stdin.write(lines)
        self._process.stdin.flush()

    @ray.method(concurrency_group="orders")
    def close(self):
        """Closes the input of the process: it ends by itself."""
        self._process.stdin.close()

    @ray.method(concurrency_group="reports")
    def reports(self):
        """Yields each line that the process writes, until it ends."""
        for line in self._process.stdout:
            yield line

    def ended(self):
        """How the process ended: its exit status and the last line of what it wrote to its standard error."""
        try:
            status = self._process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            status = self._process.wait()
        self._reader.join(PATIENCE_S)
        said = self._errors.decode(errors="replace").strip().splitlines()
        how = f"signal: {-status}" if status < 0 else f"exit status: {status}"
        return f"{how}: {said[-1]}" if said else how

    def _read_errors(self):
        for chunk in iter(lambda: self._process.stderr.read1(1024), b""):
            self._errors = (self._errors + chunk)[-KEPT:]
