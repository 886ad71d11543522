package dev.millrace.gateway.console;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.ResponseHeaders;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32;

/**
 * The document of the console. Its references are relative, because only a proxy in front knows the path under which it
 * serves the gateway. A page below others, such as {@code /runs/ID}, gets the document with the way up: {@code ../}.
 *
 * @param html the document for pages at the root
 */
record ConsolePage(String html) {

    private static final String HERE = "=\"./";

    static ConsolePage load() {
        return new ConsolePage(new String(ConsoleFiles.read("index.html"), StandardCharsets.UTF_8));
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
        var content = at(request.path()).getBytes(StandardCharsets.UTF_8);
        var tag = tag(content);
        boolean isKnown = request.get(HttpHeaderNames.IF_NONE_MATCH, "").equals(tag);
        var headers = ResponseHeaders.builder(isKnown ? HttpStatus.NOT_MODIFIED : HttpStatus.OK)
                .contentType(MediaType.HTML_UTF_8)
                .set(HttpHeaderNames.CACHE_CONTROL, "no-cache")
                .set(HttpHeaderNames.ETAG, tag)
                .build();
        return isKnown ? HttpResponse.of(headers) : HttpResponse.of(headers, HttpData.wrap(content));
    }

    /** The document at an address without a page. */
    HttpResponse stray(RequestHeaders request) {
        var headers = ResponseHeaders.builder(HttpStatus.NOT_FOUND)
                .contentType(MediaType.HTML_UTF_8)
                .set(HttpHeaderNames.CACHE_CONTROL, "no-cache")
                .build();
        return HttpResponse.of(headers, HttpData.ofUtf8(at(request.path())));
    }

    /** The document for the page at this path, which may have a query. */
    String at(String path) {
        var bare = path.split("\\?", 2)[0];
        long above = bare.chars().filter(character -> character == '/').count() - 1;
        return above == 0 ? html : html.replace(HERE, "=\"" + "../".repeat((int) above));
    }

    private static String tag(byte[] content) {
        var sum = new CRC32();
        sum.update(content);
        return "\"" + HexFormat.of().toHexDigits(sum.getValue()) + "\"";
    }
}
