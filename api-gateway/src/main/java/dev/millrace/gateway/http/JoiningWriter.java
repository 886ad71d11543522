package dev.millrace.gateway.http;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpResponseWriter;
import com.linecorp.armeria.common.ResponseHeaders;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Writes a streamed answer. Data go out at once if nothing waits for the socket. Else small ones are joined until the socket
 * takes more: ten thousand events in pieces of their own cost gateway and browser more than their content. Thread-safe.
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

    private int piecesInFlight;
    private final List<HttpData> waiting = new ArrayList<>();
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

    synchronized void write(HttpData data) {
        if (waitingBytes + data.length() > PIECE_BYTES_MAX) {
            flush();
        }
        waiting.add(data);
        waitingBytes += data.length();
        if (piecesInFlight == 0 || waitingBytes >= PIECE_BYTES_MAX) {
            flush();
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
        piecesInFlight++;
        if (writer.tryWrite(piece)) {
            var _ = writer.whenConsumed().thenRun(() -> {
                listener.sent(messages, bytes);
                pieceSent();
            });
        }
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

    private synchronized void pieceSent() {
        piecesInFlight--;
        if (piecesInFlight == 0) {
            flush();
        }
    }

    /** Ends the answer after what was written. */
    synchronized void close() {
        flush();
        writer.close();
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
