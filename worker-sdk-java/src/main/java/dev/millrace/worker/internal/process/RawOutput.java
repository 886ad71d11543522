package dev.millrace.worker.internal.process;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What programs and native code print past the runtime of Deno or Bun, in the order in which it arrives. The runtime writes a
 * mark behind what the programs of a job have printed, and its job ends only once the mark has been read here. Thread-safe.
 */
final class RawOutput {
    /** Begins a mark. No text that is meant for people contains the character. */
    private static final char MARK_BEGIN = '\0';

    private static final Pattern MARK = Pattern.compile("\0millrace:([0-9a-f-]{36})\n");
    private static final int MARK_LENGTH = "\0millrace:".length() + 36 + 1;

    private final Map<String, CompletableFuture<Void>> awaited = new HashMap<>();
    private String lastMark = "";
    private String held = "";

    /** A text that is to be logged, before the marks behind it are reached. */
    interface Log {
        void add(String text);
    }

    /** Logs the text without marks. What may be the begin of a mark is held back until the rest of it arrives. */
    void add(String arrived, Log log) {
        String text = held + arrived;
        int from = 0;
        held = "";
        for (int begin = text.indexOf(MARK_BEGIN); begin >= 0; begin = text.indexOf(MARK_BEGIN, begin + 1)) {
            Matcher mark = MARK.matcher(text).region(begin, text.length());
            if (mark.lookingAt()) {
                log(text.substring(from, begin), log);
                reached(mark.group(1));
                from = mark.end();
                begin = from - 1;
            } else if (text.length() - begin < MARK_LENGTH) {
                held = text.substring(begin);
                text = text.substring(0, begin);
                break;
            }
        }
        log(text.substring(from), log);
    }

    /** Logs what was held back, as nothing more arrives. */
    void end(Log log) {
        log(held, log);
        held = "";
        synchronized (awaited) {
            awaited.values().forEach(future -> future.complete(null));
            awaited.clear();
            lastMark = "";
        }
    }

    /** Completes once the mark has been read. */
    CompletableFuture<Void> await(String mark) {
        CompletableFuture<Void> future = new CompletableFuture<>();
        synchronized (awaited) {
            if (lastMark.equals(mark)) {
                future.complete(null);
            } else {
                awaited.put(mark, future);
            }
        }
        return future;
    }

    private void reached(String mark) {
        CompletableFuture<Void> future;
        synchronized (awaited) {
            lastMark = mark;
            future = awaited.remove(mark);
        }
        if (future != null) {
            future.complete(null);
        }
    }

    private static void log(String text, Log log) {
        if (!text.isEmpty()) {
            log.add(text);
        }
    }
}
