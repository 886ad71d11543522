package dev.millrace.worker.internal.process;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The last bytes that a process wrote to stderr, for an error that nothing else explains. */
final class StderrTail {
    static final int TAIL_BYTES_MAX = 8 << 10;

    private byte[] tail = new byte[0];

    synchronized void add(byte[] bytes, int length) {
        int kept = Math.min(tail.length, Math.max(0, TAIL_BYTES_MAX - length));
        int added = Math.min(length, TAIL_BYTES_MAX);
        byte[] next = new byte[kept + added];
        System.arraycopy(tail, tail.length - kept, next, 0, kept);
        System.arraycopy(bytes, length - added, next, kept, added);
        tail = next;
    }

    synchronized String text() {
        return new String(Arrays.copyOf(tail, tail.length), StandardCharsets.UTF_8).strip();
    }
}
