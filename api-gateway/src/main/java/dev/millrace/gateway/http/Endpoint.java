package dev.millrace.gateway.http;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.Route;
import com.linecorp.armeria.server.RouteBuilder;
import com.linecorp.armeria.server.RoutingContext;
import dev.millrace.gateway.rpc.RequestWorkspace;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.regex.Pattern;

/**
 * One method on one path, with its parameters and its handler. What belongs to a workspace is served at two addresses:
 * {@code /api/v1/runs} means the workspace {@code default}, and {@code /api/v1/workspaces/{workspace}/runs} names one.
 *
 * @param path pattern of the short address, for example {@code /api/v1/runs/{id}}
 * @param query names of the query parameters; all others are rejected, unless it is {@link #ANY_QUERY}
 * @param isShared whether all workspaces share what is at this address, so that it has the short address only
 * @param isUpload whether the handler reads the body itself while it arrives, of any size and for any time
 */
public record Endpoint(
        HttpMethod method, String path, Set<String> query, boolean isShared, boolean isUpload, Handler handler) {

    /** Begins the addresses of webhooks, at which neither tokens nor cookies count. */
    public static final String HOOKS = "/hooks/";

    /** The query of a page that reads it in the browser, and of calls of webhooks. */
    public static final Set<String> ANY_QUERY = Set.of("*");

    private static final String API = "/api/v1/";
    private static final String WORKSPACES = API + "workspaces/";

    private static final Pattern VERB_AFTER_PARAMETER = Pattern.compile("}:[a-z]+$");
    private static final Pattern PARAMETER = Pattern.compile("\\{([a-z]+)}");

    public Endpoint {
        query = Set.copyOf(query);
    }

    public static Endpoint get(String path, Set<String> query, Handler handler) {
        return of(HttpMethod.GET, path, query, handler);
    }

    public static Endpoint head(String path, Set<String> query, Handler handler) {
        return of(HttpMethod.HEAD, path, query, handler);
    }

    public static Endpoint post(String path, Set<String> query, Handler handler) {
        return of(HttpMethod.POST, path, query, handler);
    }

    public static Endpoint put(String path, Set<String> query, Handler handler) {
        return of(HttpMethod.PUT, path, query, handler);
    }

    public static Endpoint patch(String path, Set<String> query, Handler handler) {
        return of(HttpMethod.PATCH, path, query, handler);
    }

    public static Endpoint delete(String path, Set<String> query, Handler handler) {
        return of(HttpMethod.DELETE, path, query, handler);
    }

    private static Endpoint of(HttpMethod method, String path, Set<String> query, Handler handler) {
        return new Endpoint(method, path, query, !path.startsWith(API), false, handler);
    }

    /** The same, for what all workspaces share. */
    public Endpoint shared() {
        return new Endpoint(method, path, query, true, isUpload, handler);
    }

    /** The same, for a handler that reads the body of the request itself: {@link ApiRequest#body} is empty. */
    public Endpoint uploading() {
        return new Endpoint(method, path, query, isShared, true, handler);
    }

    /** The patterns of all addresses, the short one first. */
    public List<String> paths() {
        return isShared ? List.of(path) : List.of(path, inWorkspace(path, "{" + RequestWorkspace.NAME + "}"));
    }

    /** The address within a workspace of what has a short address. */
    static String inWorkspace(String path, String workspace) {
        return WORKSPACES + workspace + path.substring(API.length() - 1);
    }

    List<Route> routes() {
        return paths().stream()
                .map(path -> address(path).methods(method).build())
                .toList();
    }

    /** Whether an address is one of this endpoint, to tell a wrong method from a wrong path. */
    boolean isAt(RoutingContext context) {
        return paths().stream()
                .anyMatch(path -> address(path).build().apply(context, false).isPresent());
    }

    /** Armeria's patterns do not support a verb after a parameter, so such a path becomes a regular expression. */
    private static RouteBuilder address(String path) {
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
