package dev.millrace.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads the stored log of a run page by page, so that a log of any size needs little memory. */
final class LogPages {
    private static final String PAGE_SIZE = "1000";

    private final MillraceClient client;
    private final ApiPath logs;
    private final @Nullable String step;
    private final String[] streams;

    LogPages(MillraceClient client, String runId, @Nullable String step, String[] streams) {
        this.client = client;
        this.logs = ApiPath.of("/runs").child(runId).then("/logs");
        this.step = step;
        this.streams = streams.clone();
    }

    /** Passes on all chunks from the first to the last. */
    void chunks(Consumer<JsonNode> receive) {
        each(logs, page -> page.path("items").forEach(receive));
    }

    /** Passes on the last chunks, which have at least so many ends of lines if the log has them. */
    void lastChunks(int lines, Consumer<JsonNode> receive) {
        Deque<JsonNode> last = new ArrayDeque<>();
        long ends = 0;
        String token = "";
        do {
            JsonNode page = client.get(page(logs.with("order", "newest"), token));
            for (JsonNode chunk : page.path("items")) {
                // The line that ends with the first newline may have begun in an earlier chunk.
                if (ends <= lines) {
                    last.addFirst(chunk);
                    ends += Json.text(chunk, "text")
                            .chars()
                            .filter(character -> character == '\n')
                            .count();
                }
            }
            token = Json.text(page, "next_page_token");
        } while (!token.isEmpty() && ends <= lines);
        last.forEach(receive);
    }

    /** Passes on the lines that contain a text, as they are found. */
    void matches(String text, boolean matchesCase, Consumer<JsonNode> receive) {
        ApiPath search = logs.then("/matches").with("text", text);
        each(
                matchesCase ? search.with("match_case", "true") : search,
                page -> page.path("items").forEach(receive));
    }

    private void each(ApiPath path, Consumer<JsonNode> receive) {
        String token = "";
        do {
            JsonNode page = client.get(page(path, token));
            receive.accept(page);
            token = Json.text(page, "next_page_token");
        } while (!token.isEmpty());
    }

    private ApiPath page(ApiPath path, String token) {
        ApiPath page = path.with("page_size", PAGE_SIZE).withIfGiven("step", step);
        for (String stream : streams) {
            page = page.with("stream", stream);
        }
        return token.isEmpty() ? page : page.with("page_token", token);
    }
}
