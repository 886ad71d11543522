package dev.millrace.gateway.http;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.Route;
import com.linecorp.armeria.server.RouteBuilder;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.regex.Pattern;

/**
 * One method on one path, with its parameters and its handler.
 *
 * @param path pattern, for example {@code /api/v1/runs/{id}}
 * @param query names of the query parameters; all others are rejected
 */
public record Endpoint(HttpMethod method, String path, Set<String> query, Handler handler) {

    private static final Pattern VERB_AFTER_PARAMETER = Pattern.compile("}:[a-z]+$");
    private static final Pattern PARAMETER = Pattern.compile("\\{([a-z]+)}");

    public Endpoint {
        query = Set.copyOf(query);
    }

    public static Endpoint get(String path, Set<String> query, Handler handler) {
        return new Endpoint(HttpMethod.GET, path, query, handler);
    }

    public static Endpoint post(String path, Set<String> query, Handler handler) {
        return new Endpoint(HttpMethod.POST, path, query, handler);
    }

    public static Endpoint delete(String path, Set<String> query, Handler handler) {
        return new Endpoint(HttpMethod.DELETE, path, query, handler);
    }

    public Route route() {
        return address().methods(method).build();
    }

    /** Route of the path with any method, to tell a wrong method from a wrong path. */
    Route anyMethod() {
        return address().build();
    }

    /** Armeria's patterns do not support a verb after a parameter, so such a path becomes a regular expression. */
    private RouteBuilder address() {
        return VERB_AFTER_PARAMETER.matcher(path).find()
                ? Route.builder().regex("^" + PARAMETER.matcher(path).replaceAll("(?<$1>[^/:]+)") + "$")
                : Route.builder().path(path);
    }

    /** Answers a request; a failed stage is answered with a problem document. */
    @FunctionalInterface
    public interface Handler {
        CompletionStage<HttpResponse> handle(ApiRequest request);
    }
}
