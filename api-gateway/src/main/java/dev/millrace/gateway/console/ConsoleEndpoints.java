package dev.millrace.gateway.console;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.RequestHeaders;
import dev.millrace.gateway.http.ApiRequest;
import dev.millrace.gateway.http.Endpoint;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The console and its files. Each address of a page gets the same document: the console itself shows the page. The first
 * segments of these addresses come from the console, so that a new page needs no change here.
 */
public final class ConsoleEndpoints {

    private final ConsolePage page = ConsolePage.load();
    private final ConsoleFiles files = new ConsoleFiles();

    public List<Endpoint> all() {
        var pages = ConsolePage.addresses().stream()
                .flatMap(name -> Stream.of("/" + name, "/" + name + "/{*rest}"))
                .map(path -> Endpoint.get(path, Endpoint.ANY_QUERY, this::page));
        return Stream.concat(
                        Stream.of(
                                Endpoint.get("/", Endpoint.ANY_QUERY, this::page),
                                Endpoint.get("/assets/{file}", Set.of(), this::file)),
                        pages)
                .toList();
    }

    /** What browsers get at an address without a page: the console, which says that there is none, and the way home. */
    public static Function<RequestHeaders, HttpResponse> strayPage() {
        return ConsolePage.load()::stray;
    }

    /** Whether an address belongs to the console, and not to the API. */
    public static boolean isPage(String path) {
        return path.equals("/")
                || path.startsWith("/assets/")
                || ConsolePage.addresses().stream()
                        .anyMatch(name -> path.equals("/" + name) || path.startsWith("/" + name + "/"));
    }

    private CompletionStage<HttpResponse> page(ApiRequest request) {
        return CompletableFuture.completedFuture(
                page.answer(request.context().request().headers()));
    }

    private CompletionStage<HttpResponse> file(ApiRequest request) {
        return CompletableFuture.completedFuture(
                files.answer(request.path("file"), request.context().request().headers()));
    }
}
