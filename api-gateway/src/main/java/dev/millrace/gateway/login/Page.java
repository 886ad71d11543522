package dev.millrace.gateway.login;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;

/**
 * A small page for people. It has no scripts, and every value in it is escaped. All addresses in it are relative, because only
 * a proxy knows its prefix.
 */
final class Page {

    private Page() {}

    /**
     * An answer with a page at an address such as {@code /login}.
     *
     * @param content HTML, in which all values are escaped
     */
    static HttpResponse of(HttpStatus status, String title, String content) {
        return of("./", status, title, content);
    }

    /**
     * An answer with a page.
     *
     * @param root leads from the address of the page to the root of the gateway
     * @param content HTML, in which all values are escaped
     */
    static HttpResponse of(String root, HttpStatus status, String title, String content) {
        var headers = ResponseHeaders.builder(status)
                .contentType(MediaType.HTML_UTF_8)
                .set(HttpHeaderNames.CACHE_CONTROL, "no-store")
                .build();
        var page = """
            <!doctype html>
            <html lang="en">
              <head>
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <title>%1$s - Millrace</title>
                <link rel="icon" href="data:,">
                <link rel="stylesheet" href="%3$slogin/style.css">
              </head>
              <body>
                <main>
                  <p class="brand">Millrace</p>
                  <h1>%1$s</h1>
            %2$s
                </main>
              </body>
            </html>
            """.formatted(escape(title), content, root);
        return HttpResponse.of(headers, HttpData.ofUtf8(page));
    }

    /** A page that says what went wrong, and offers a way on. */
    static HttpResponse ofFailure(HttpStatus status, String title, String detail, String link, String linkText) {
        return of(
                status,
                title,
                "<p class=\"failure\">" + escape(detail) + "</p>\n<p><a href=\"" + escape(link) + "\">"
                        + escape(linkText) + "</a></p>");
    }

    /** The text as it may stand in content and attributes. */
    static String escape(String text) {
        var escaped = new StringBuilder(text.length() + 16);
        for (int index = 0; index < text.length(); index++) {
            char character = text.charAt(index);
            switch (character) {
                case '&' -> escaped.append("&amp;");
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '"' -> escaped.append("&quot;");
                case '\'' -> escaped.append("&#39;");
                default -> escaped.append(Character.isISOControl(character) ? ' ' : character);
            }
        }
        return escaped.toString();
    }
}
