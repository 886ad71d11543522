package dev.millrace.gateway.http;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpResponseWriter;
import com.linecorp.armeria.common.ResponseHeaders;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Writes a streamed answer. Data go out at once if nothing waits for the socket. Else small ones are joined until the socket
 * takes more: ten thousand events in pieces of their own cost gateway and browser more than their content.
 *
 * <p>Thread-safe without locks: whoever adds something writes, unless another thread does so already. So nobody who is told what
 * was sent can wait for somebody who waits to write. A listener that throws an exception breaks the answer off.
 */
final class JoiningWriter {

    /** Length up to which data are joined, in bytes. */
    private static final int PIECE_BYTES_MAX = 32 << 10;

    /** Told without a lock which data the socket has taken. */
    interface SentListener {
        void sent(int messages, int bytes);
    }

    private final HttpResponseWriter writer = HttpResponse.streaming();
    private final SentListener listener;

    private final Queue<HttpData> added = new ConcurrentLinkedQueue<>();
    private final AtomicInteger piecesInFlight = new AtomicInteger();
    private volatile boolean isClosing;
    /** Number of reasons to look for something to write; whoever raises it from 0 writes. */
    private final AtomicInteger looks = new AtomicInteger();

    /** Used only by the thread that writes. */
    private final List<HttpData> waiting = new ArrayList<>();
    /** Used only by the thread that writes. */
    private int waitingBytes;

    JoiningWriter(SentListener listener) {
        this.listener = listener;
    }

    /** The answer, once the headers are written. */
    HttpResponse response() {
        return writer;
    }

    void writeHeaders(ResponseHeaders headers) {
        writer.write(headers);
    }

    void write(HttpData data) {
        added.add(data);
        look();
    }

    private void look() {
        if (looks.getAndIncrement() > 0) {
            return;
        }
        int seen = 1;
        do {
            try {
                writeAdded();
            } catch (RuntimeException bug) {
                // Nobody else writes meanwhile, so without an end the reader would wait forever.
                writer.close(bug);
            }
            seen = looks.addAndGet(-seen);
        } while (seen != 0);
    }

    private void writeAdded() {
        // Read first: what was added before the end is written before it.
        boolean isLast = isClosing;
        for (HttpData data = added.poll(); data != null; data = added.poll()) {
            if (waitingBytes + data.length() > PIECE_BYTES_MAX) {
                flush();
            }
            waiting.add(data);
            waitingBytes += data.length();
            if (piecesInFlight.get() == 0 || waitingBytes >= PIECE_BYTES_MAX) {
                flush();
            }
        }
        if (isLast || piecesInFlight.get() == 0) {
            flush();
        }
        if (isLast) {
            writer.close();
        }
    }

    private void flush() {
        if (waiting.isEmpty()) {
            return;
        }
        int messages = waiting.size();
        int bytes = waitingBytes;
        HttpData piece = messages == 1 ? waiting.getFirst() : joined();
        waiting.clear();
        waitingBytes = 0;
        piecesInFlight.incrementAndGet();
        if (writer.tryWrite(piece)) {
            var _ = writer.whenConsumed().thenRun(() -> sent(messages, bytes));
        }
    }

    private void sent(int messages, int bytes) {
        try {
            listener.sent(messages, bytes);
        } catch (RuntimeException bug) {
            writer.close(bug);
        }
        piecesInFlight.decrementAndGet();
        look();
    }

    private HttpData joined() {
        var piece = new byte[waitingBytes];
        int end = 0;
        for (HttpData data : waiting) {
            System.arraycopy(data.array(), 0, piece, end, data.length());
            end += data.length();
        }
        return HttpData.wrap(piece);
    }

    /** Ends the answer after what was written. */
    void close() {
        isClosing = true;
        look();
    }

    /** Breaks the answer off, without what was not sent yet. */
    void abort() {
        writer.abort();
    }

    /** Completes when the reader has received everything or has disconnected. */
    CompletableFuture<Void> whenEnded() {
        return writer.whenComplete();
    }
}
