"""The side of program.py that is called, as a script: imports little, so that a call is quick."""

import os
import sys
from _socket import AF_UNIX, SCM_RIGHTS, SHUT_WR, SOL_SOCKET, socket

if __name__ == "__main__":
    address, *arguments = sys.argv[1:]
    connection = socket(AF_UNIX)
    connection.connect(address)
    streams = b"".join(stream.to_bytes(4, sys.byteorder) for stream in (0, 1, 2))
    connection.sendmsg([b"."], [(SOL_SOCKET, SCM_RIGHTS, streams)])
    environ = [b"=".join(variable) for variable in os.environb.items()]
    folder = os.getcwdb()  # noqa: PTH109 - a module less
    connection.sendall(b"\0".join([folder, b"%d" % len(arguments), *map(os.fsencode, arguments), *environ]))
    connection.shutdown(SHUT_WR)
    sys.exit((connection.recv(1) or b"\x89")[0])  # 137 where it was killed
