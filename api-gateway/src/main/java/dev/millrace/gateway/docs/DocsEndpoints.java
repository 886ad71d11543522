package dev.millrace.gateway.docs;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.MediaType;
import dev.millrace.gateway.http.Endpoint;
import dev.millrace.gateway.http.StaticFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** The OpenAPI document, and the way from the addresses beside it to the page of the console that shows it. */
public final class DocsEndpoints {

    private static final String DOCUMENT = "openapi.yaml";
    private static final MediaType YAML = MediaType.create("application", "yaml");

    public List<Endpoint> all() {
        return Stream.of(
                        document(),
                        // Relative, because only a proxy in front knows the path under which it serves the gateway.
                        redirect("/api/v1/docs", "../../docs"),
                        redirect("/api/v1/docs/", "../../../docs"))
                .map(Endpoint::shared)
                .toList();
    }

    private static Endpoint document() {
        var file = StaticFile.of(read(), YAML, StaticFile.ASK_AGAIN);
        return Endpoint.get(
                "/api/v1/openapi.yaml",
                Set.of(),
                request -> CompletableFuture.completedFuture(
                        file.answer(request.context().request().headers())));
    }

    private static Endpoint redirect(String path, String location) {
        return Endpoint.get(path, Set.of(), _ -> CompletableFuture.completedFuture(HttpResponse.ofRedirect(location)));
    }

    private static byte[] read() {
        try (var in = Objects.requireNonNull(DocsEndpoints.class.getResourceAsStream(DOCUMENT), DOCUMENT)) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read " + DOCUMENT + ".", e);
        }
    }
}
