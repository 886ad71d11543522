package dev.millrace.scheduler.log;

import java.util.List;

/**
 * What a look at a limited part of a log has found.
 *
 * @param chunks those that fit, in the order of the look
 * @param looked number of chunks that were looked at
 * @param last position of the last chunk that was looked at; 0 if there was none, so nothing is left
 */
record LogPart(List<LogChunk> chunks, int looked, long last) {
    LogPart {
        chunks = List.copyOf(chunks);
    }

    boolean isEnd() {
        return last == 0;
    }
}
