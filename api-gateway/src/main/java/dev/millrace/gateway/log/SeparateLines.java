package dev.millrace.gateway.log;

import com.google.protobuf.ByteString;
import dev.millrace.proto.log.v1.LogChunk;
import dev.millrace.proto.log.v1.TailLogsResponse;
import java.util.function.Function;

/**
 * The texts of chunks, one after the other, so that no line has the text of two sources: if an attempt of a job has not
 * ended its line on one of its streams, and the next chunk is from elsewhere, the line ends there. Keeps no text, so that a
 * log may have any size. For one log; not thread-safe.
 */
final class SeparateLines implements Function<TailLogsResponse, ByteString> {
    private static final ByteString LINE_END = ByteString.copyFromUtf8("\n");

    private Source last = new Source("", 0, LogChunk.Stream.STREAM_UNSPECIFIED);
    private boolean isLineOpen;

    private record Source(String job, int attempt, LogChunk.Stream stream) {}

    @Override
    public ByteString apply(TailLogsResponse answer) {
        LogChunk chunk = answer.getChunk();
        ByteString text = chunk.getTextBytes();
        if (text.isEmpty()) {
            return text;
        }
        Source source = new Source(chunk.getJobId(), chunk.getAttempt(), chunk.getStream());
        boolean endsLine = isLineOpen && !source.equals(last);
        last = source;
        isLineOpen = text.byteAt(text.size() - 1) != '\n';
        return endsLine ? LINE_END.concat(text) : text;
    }
}
