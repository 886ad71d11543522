package dev.millrace.handler.http;

import dev.millrace.tls.AddressRule;
import java.time.Duration;

/**
 * Permissions that a worker's operator gives to HTTP requests.
 *
 * @param allowPrivate whether requests may go to addresses that are not public: loopback, private and link-local
 *     ranges, metadata services
 */
public record HttpHandlerOptions(boolean allowPrivate) {
    /** Restricts requests to public addresses. */
    public static final HttpHandlerOptions PUBLIC_ONLY = new HttpHandlerOptions(false);

    private static final String ALLOW_PRIVATE = "millrace.worker.http-allow-private";

    static final Duration TIMEOUT_DEFAULT = Duration.ofSeconds(30);
    static final Duration TIMEOUT_MAX = Duration.ofHours(1);
    static final Duration CONNECT_TIMEOUT_DEFAULT = Duration.ofSeconds(10);
    static final int RESPONSE_BYTES_DEFAULT = 1 << 20;
    static final int RESPONSE_BYTES_MAX = 64 << 20;
    /** Longest line in the head of a response: its status, a header, or the size of a chunk. */
    static final int RESPONSE_LINE_BYTES_MAX = 16 << 10;

    /**
     * Largest number of headers of a response, and of its trailers. Together with the line length it limits the memory
     * of a response's head.
     */
    static final int RESPONSE_HEADERS_MAX = 200;

    static final int REDIRECTS_MAX = 10;
    static final int CONNECTIONS_MAX = 256;
    static final int CONNECTIONS_PER_HOST_MAX = 64;

    /** Where requests may go. */
    public AddressRule addressRule() {
        return new AddressRule(allowPrivate, ALLOW_PRIVATE);
    }
}
