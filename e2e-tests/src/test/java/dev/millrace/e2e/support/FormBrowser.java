package dev.millrace.e2e.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpCookie;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A browser without scripts and pictures: follows redirects, keeps cookies of each host, and fills forms in. As
 * browsers do on this machine, it also sends cookies marked {@code Secure} over plain HTTP. Not thread-safe.
 */
public final class FormBrowser {
    private static final int REDIRECTS_MAX = 10;
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Pattern FORM = Pattern.compile("<form\\b([^>]*)>(.*?)</form>", Pattern.DOTALL);
    private static final Pattern INPUT = Pattern.compile("<input\\b([^>]*)>", Pattern.DOTALL);

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();
    private final Map<String, Map<String, String>> cookies = new HashMap<>();

    /**
     * What the browser shows.
     *
     * @param address to which redirects have led
     * @param hidesOrigin whether the page tells browsers to hide where its forms come from
     */
    public record Page(URI address, int status, String body, boolean hidesOrigin) {}

    /** The value of a cookie, if the host has set it. */
    public Optional<String> cookie(String host, String name) {
        return Optional.ofNullable(cookies.getOrDefault(host, Map.of()).get(name));
    }

    /** Sets a cookie, as somebody does who has copied it. */
    public void setCookie(String host, String name, String value) {
        cookies.computeIfAbsent(host, _ -> new LinkedHashMap<>()).put(name, value);
    }

    public Page open(URI address) {
        return follow(HttpRequest.newBuilder(address), address);
    }

    /** Sends a form as a script of the same site does. */
    public Page post(URI address, Map<String, String> fields) {
        return post(address, fields, origin(address));
    }

    private Page post(URI address, Map<String, String> fields, String origin) {
        HttpRequest.Builder request = HttpRequest.newBuilder(address)
                .header("content-type", "application/x-www-form-urlencoded")
                .header("origin", origin)
                .POST(BodyPublishers.ofString(encode(fields)));
        return follow(request, address);
    }

    /** Sends the only form of the page: hidden fields as they are, and these fields. */
    public Page submit(Page page, Map<String, String> fields) {
        Matcher form = FORM.matcher(page.body());
        assertThat(form.find()).as("a form in %s", page).isTrue();
        String attributes = form.group(1);
        Map<String, String> sent = new LinkedHashMap<>();
        Matcher inputs = INPUT.matcher(form.group(2));
        while (inputs.find()) {
            if (attribute(inputs.group(1), "type").equals("hidden")) {
                sent.put(attribute(inputs.group(1), "name"), attribute(inputs.group(1), "value"));
            }
        }
        sent.putAll(fields);
        String action = attribute(attributes, "action");
        URI target = action.isEmpty() ? page.address() : page.address().resolve(action);
        return attribute(attributes, "method").equalsIgnoreCase("post")
                ? post(target, sent, page.hidesOrigin() ? "null" : origin(page.address()))
                : open(target.resolve("?" + encode(sent)));
    }

    private Page follow(HttpRequest.Builder first, URI start) {
        HttpRequest.Builder request = first;
        URI address = start;
        for (int i = 0; i < REDIRECTS_MAX; i++) {
            HttpResponse<String> response = send(request, address);
            Optional<String> location = response.headers().firstValue("location");
            if (response.statusCode() / 100 != 3 || location.isEmpty()) {
                return new Page(address, response.statusCode(), response.body(), hidesOrigin(response));
            }
            address = address.resolve(location.get());
            request = HttpRequest.newBuilder(address);
        }
        throw new AssertionError(start + " leads to more than " + REDIRECTS_MAX + " redirects; the last is " + address);
    }

    private HttpResponse<String> send(HttpRequest.Builder request, URI address) {
        Map<String, String> own = cookies.computeIfAbsent(address.getHost(), _ -> new LinkedHashMap<>());
        if (!own.isEmpty()) {
            request.header(
                    "cookie",
                    own.entrySet().stream()
                            .map(cookie -> cookie.getKey() + "=" + cookie.getValue())
                            .collect(Collectors.joining("; ")));
        }
        try {
            HttpResponse<String> response = http.send(request.timeout(LIMIT).build(), BodyHandlers.ofString());
            response.headers().allValues("set-cookie").stream()
                    .flatMap(header -> HttpCookie.parse(header).stream())
                    .forEach(cookie -> keep(own, cookie));
            return response;
        } catch (IOException e) {
            throw new UncheckedIOException(address + " gave no answer.", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while calling " + address + ".", e);
        }
    }

    private static void keep(Map<String, String> own, HttpCookie cookie) {
        if (cookie.getMaxAge() == 0) {
            own.remove(cookie.getName());
        } else {
            own.put(cookie.getName(), cookie.getValue());
        }
    }

    private static String origin(URI address) {
        return address.getScheme() + "://" + address.getRawAuthority();
    }

    private static boolean hidesOrigin(HttpResponse<String> response) {
        return response.headers().firstValue("referrer-policy").orElse("").equals("no-referrer");
    }

    private static String encode(Map<String, String> fields) {
        return fields.entrySet().stream()
                .map(field -> encode(field.getKey()) + "=" + encode(field.getValue()))
                .collect(Collectors.joining("&"));
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /** The value of an attribute; empty if it is absent. */
    private static String attribute(String attributes, String name) {
        Matcher found = Pattern.compile("\\b" + name + "\\s*=\\s*\"([^\"]*)\"").matcher(attributes);
        return found.find()
                ? found.group(1).replace("&amp;", "&").replace("&#39;", "'").replace("&quot;", "\"")
                : "";
    }
}
