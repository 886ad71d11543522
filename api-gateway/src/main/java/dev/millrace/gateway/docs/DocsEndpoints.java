package dev.millrace.gateway.docs;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import dev.millrace.gateway.http.ApiRequest;
import dev.millrace.gateway.http.Endpoint;
import dev.millrace.gateway.problem.Problem;
import dev.millrace.gateway.problem.ProblemException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/** The OpenAPI document, and Swagger UI to read it with; all files come from the class path. */
public final class DocsEndpoints {

    private static final String DOCS = "/api/v1/docs";
    private static final String WEBJAR_POM = "/META-INF/maven/org.webjars/swagger-ui/pom.properties";
    private static final MediaType YAML = MediaType.create("application", "yaml");

    /** Those files of Swagger UI that its page needs. */
    private static final Map<String, MediaType> WEBJAR_FILES = Map.of(
            "swagger-ui.css", MediaType.CSS_UTF_8,
            "index.css", MediaType.CSS_UTF_8,
            "swagger-ui-bundle.js", MediaType.JAVASCRIPT_UTF_8,
            "swagger-ui-standalone-preset.js", MediaType.JAVASCRIPT_UTF_8,
            "favicon-32x32.png", MediaType.PNG);

    public List<Endpoint> all() {
        return Stream.of(
                        file("/api/v1/openapi.yaml", "openapi.yaml", YAML),
                        Endpoint.get("/docs", Set.of(), _ -> answer(HttpResponse.ofRedirect(DOCS + "/"))),
                        Endpoint.get("/docs/", Set.of(), _ -> answer(HttpResponse.ofRedirect(DOCS + "/"))),
                        Endpoint.get(DOCS, Set.of(), _ -> answer(HttpResponse.ofRedirect(DOCS + "/"))),
                        file(DOCS + "/", "swagger.html", MediaType.HTML_UTF_8),
                        file(DOCS + "/swagger.js", "swagger.js", MediaType.JAVASCRIPT_UTF_8),
                        Endpoint.get(DOCS + "/{file}", Set.of(), DocsEndpoints::webjarFile))
                .map(Endpoint::shared)
                .toList();
    }

    private static Endpoint file(String path, String name, MediaType type) {
        var content = HttpData.wrap(resource(name));
        return Endpoint.get(path, Set.of(), _ -> answer(HttpResponse.of(HttpStatus.OK, type, content)));
    }

    private static CompletionStage<HttpResponse> webjarFile(ApiRequest request) {
        var name = request.path("file");
        var type = WEBJAR_FILES.get(name);
        if (type == null) {
            throw new ProblemException(
                    Problem.of(HttpStatus.NOT_FOUND, "no_such_address", "Swagger UI has no file " + name + " here."));
        }
        var content = resource("/META-INF/resources/webjars/swagger-ui/" + webjarVersion() + "/" + name);
        return answer(HttpResponse.of(HttpStatus.OK, type, HttpData.wrap(content)));
    }

    private static String webjarVersion() {
        var pom = new Properties();
        try (var in = Objects.requireNonNull(DocsEndpoints.class.getResourceAsStream(WEBJAR_POM), WEBJAR_POM)) {
            pom.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read " + WEBJAR_POM + ".", e);
        }
        return pom.getProperty("version");
    }

    private static byte[] resource(String name) {
        try (var in = Objects.requireNonNull(DocsEndpoints.class.getResourceAsStream(name), name)) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read " + name + ".", e);
        }
    }

    private static CompletionStage<HttpResponse> answer(HttpResponse response) {
        return CompletableFuture.completedFuture(response);
    }
}
