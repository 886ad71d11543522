package dev.millrace.gateway.console;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.RequestHeaders;
import dev.millrace.gateway.http.StaticFile;
import dev.millrace.gateway.problem.Problem;
import dev.millrace.gateway.problem.ProblemException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The document of the console. Its references are relative, because only a proxy in front knows the path under which it
 * serves the gateway. A page below others, such as {@code /runs/ID}, gets the document with the way up: {@code ../}.
 *
 * @param documents the document for each depth, from the root on
 */
record ConsolePage(List<StaticFile> documents) {

    /** Largest number of parts of an address that has a page; paths of scripts have a dozen at most. */
    private static final int DEPTH_MAX = 32;

    private static final String HERE = "=\"./";

    ConsolePage {
        documents = List.copyOf(documents);
    }

    static ConsolePage load() {
        var html = new String(ConsoleFiles.read("index.html"), StandardCharsets.UTF_8);
        return new ConsolePage(IntStream.range(0, DEPTH_MAX)
                .mapToObj(above -> StaticFile.of(
                        at(html, above).getBytes(StandardCharsets.UTF_8), MediaType.HTML_UTF_8, StaticFile.ASK_AGAIN))
                .toList());
    }

    /** First segments of the addresses of all pages but the start page. */
    static List<String> addresses() {
        try {
            return new ObjectMapper().readValue(ConsoleFiles.read("addresses.json"), new TypeReference<>() {});
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read the addresses of the console's pages.", e);
        }
    }

    /** Browsers ask each time whether the document has changed, since it names the files of one build. */
    HttpResponse answer(RequestHeaders request) {
        return at(request.path()).answer(request);
    }

    /** The document at an address without a page. */
    HttpResponse stray(RequestHeaders request) {
        var anew = request.toBuilder();
        anew.remove(HttpHeaderNames.IF_NONE_MATCH);
        return at(request.path())
                .answer(anew.build())
                .mapHeaders(headers ->
                        headers.toBuilder().status(HttpStatus.NOT_FOUND).build());
    }

    /** The document for the page at this path, which may have a query. */
    private StaticFile at(String path) {
        var bare = path.split("\\?", 2)[0];
        int above = (int) bare.chars().filter(character -> character == '/').count() - 1;
        if (above >= documents.size()) {
            throw new ProblemException(Problem.of(
                    HttpStatus.NOT_FOUND,
                    "no_such_address",
                    "The address has " + (above + 1) + " parts (a page of the console has at most " + documents.size()
                            + "). All addresses are described at /docs."));
        }
        return documents.get(Math.max(0, above));
    }

    private static String at(String html, int above) {
        return above == 0 ? html : html.replace(HERE, "=\"" + "../".repeat(above));
    }
}
