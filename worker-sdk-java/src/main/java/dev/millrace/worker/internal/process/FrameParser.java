package dev.millrace.worker.internal.process;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.ByteString;
import dev.millrace.proto.common.v1.JobError;
import dev.millrace.proto.log.v1.LogChunk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Parser of single frames. It cuts out results, of which every job has one, by their fixed prefix without parsing:
 * results are opaque to the worker.
 */
final class FrameParser {
    private static final byte[] RESULT_PREFIX = ascii("{\"type\":\"result\",\"id\":\"");
    private static final byte[] RESULT_INFIX = ascii("\",\"result\":");
    private static final ObjectMapper json = new ObjectMapper();

    private FrameParser() {}

    /** Tells whether a line that is too long to read is a result. */
    static boolean isResult(byte[] bytes, int length) {
        return startsWith(bytes, 0, length, RESULT_PREFIX);
    }

    /**
     * Parses the frame in these bytes, without its line feed.
     *
     * @throws ProtocolException if the bytes are not a frame
     */
    static Frame parse(byte[] bytes, int from, int to) throws ProtocolException {
        if (startsWith(bytes, from, to, RESULT_PREFIX)) {
            int idFrom = from + RESULT_PREFIX.length;
            int idTo = quote(bytes, idFrom, to);
            int resultFrom = idTo + RESULT_INFIX.length;
            if (startsWith(bytes, idTo, to, RESULT_INFIX) && resultFrom < to - 1 && bytes[to - 1] == '}') {
                return new Frame.Result(
                        ascii(bytes, idFrom, idTo), ByteString.copyFrom(bytes, resultFrom, to - 1 - resultFrom));
            }
        }
        return parseJson(bytes, from, to);
    }

    private static Frame parseJson(byte[] bytes, int from, int to) throws ProtocolException {
        JsonNode frame;
        try {
            frame = json.readTree(bytes, from, to - from);
        } catch (JsonProcessingException e) {
            throw new ProtocolException("a line that is not JSON: " + excerpt(bytes, from, to));
        } catch (IOException e) {
            throw new ProtocolException("a line that cannot be read: " + e);
        }
        String id = text(frame, "id");
        return switch (text(frame, "type")) {
            case "ready" -> new Frame.Ready(frame.path("protocol").asInt(), text(frame, "runtime"));
            case "load_error" -> new Frame.LoadError(error(frame, false));
            case "log" -> new Frame.Log(id, stream(text(frame, "stream")), text(frame, "text"));
            case "error" ->
                new Frame.Failed(id, error(frame, true), frame.path("spent").asBoolean());
            case "progress" -> new Frame.Progress(id, frame.path("value").toString());
            case "span" -> new Frame.Traced(id, SpanFrames.parse(frame.path("span")));
            case "call" ->
                new Frame.Call(id, frame.path("call").asLong(), text(frame, "method"), frame.path("arguments"));
            case "result" ->
                new Frame.Result(
                        id, ByteString.copyFromUtf8(frame.path("result").toString()));
            default -> throw new ProtocolException("a frame of an unknown type: " + excerpt(bytes, from, to));
        };
    }

    private static JobError error(JsonNode frame, boolean retryableByDefault) {
        return JobError.newBuilder()
                .setName(text(frame, "name"))
                .setMessage(text(frame, "message"))
                .setStack(text(frame, "stack"))
                .setRetryable(frame.path("retryable").asBoolean(retryableByDefault))
                .build();
    }

    private static LogChunk.Stream stream(String name) {
        return switch (name) {
            case "stderr" -> LogChunk.Stream.STREAM_STDERR;
            case "system" -> LogChunk.Stream.STREAM_SYSTEM;
            case "trace" -> LogChunk.Stream.STREAM_TRACE;
            default -> LogChunk.Stream.STREAM_STDOUT;
        };
    }

    private static String text(JsonNode frame, String key) {
        return frame.path(key).asText("");
    }

    private static boolean startsWith(byte[] bytes, int from, int to, byte[] prefix) {
        return to - from >= prefix.length && Arrays.equals(bytes, from, from + prefix.length, prefix, 0, prefix.length);
    }

    private static int quote(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to && bytes[at] != '"') {
            at++;
        }
        return at;
    }

    private static String excerpt(byte[] bytes, int from, int to) {
        return new String(
                bytes, from, Math.min(to - from, ProtocolException.EXCERPT_BYTES_MAX), StandardCharsets.UTF_8);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static String ascii(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    }
}
