package dev.millrace.gateway.log;

import dev.millrace.gateway.http.ApiRequest;
import dev.millrace.gateway.json.EnumNames;
import dev.millrace.proto.log.v1.LogChunk;
import dev.millrace.proto.log.v1.LogChunk.Stream;
import java.util.List;
import java.util.Set;

/** Reads which part of a log a request wants from its query. */
final class LogQuery {

    /** Names of the parameters that choose chunks. */
    static final Set<String> FILTER = Set.of("job_id", "step", "stream");
    /** Names of the parameters that choose a part, and its direction. */
    static final Set<String> RANGE = Set.of("after", "before", "order");

    private static final String STREAM = "STREAM_";
    private static final String NEWEST = "newest";
    private static final String OLDEST = "oldest";

    private LogQuery() {}

    static List<Stream> streams(ApiRequest request) {
        return request.queryList("stream").stream()
                .map(name -> EnumNames.parse(LogChunk.Stream.class, STREAM, name)
                        .orElseThrow(() -> ApiRequest.wrongQuery(
                                "stream",
                                "is \"" + name + "\" (expected: " + EnumNames.known(LogChunk.Stream.class, STREAM)
                                        + ")")))
                .toList();
    }

    static boolean isNewestFirst(ApiRequest request) {
        return switch (request.query("order")) {
            case NEWEST -> true;
            case OLDEST, "" -> false;
            case String other ->
                throw ApiRequest.wrongQuery(
                        "order", "is \"" + other + "\" (expected: " + OLDEST + " or " + NEWEST + ")");
        };
    }

    /** A position of a chunk; 0 if it is absent. */
    static long position(ApiRequest request, String name) {
        var text = request.query(name);
        try {
            long position = text.isEmpty() ? 0 : Long.parseLong(text);
            if (position >= 0) {
                return position;
            }
        } catch (NumberFormatException e) {
            // The message below says what is expected.
        }
        throw ApiRequest.wrongQuery(name, "is \"" + text + "\" (expected: the position of a chunk)");
    }
}
