package dev.millrace.gateway.http;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.ResponseHeaders;
import java.time.Duration;
import java.util.Optional;

/** Form in which a stream reaches its reader. */
interface Framing<A> {

    /** Maximum number of messages that wait for the reader. */
    int WINDOW = 8;

    /** Maximum number of messages that wait for the reader. */
    default int window() {
        return WINDOW;
    }

    /** Time for which a reader may take nothing while much waits for it; zero means until the next look. */
    default Duration stallMax() {
        return Duration.ZERO;
    }

    ResponseHeaders headers();

    HttpData message(A message);

    /** Data that readers skip; empty if the form has none. */
    Optional<HttpData> keepAlive();

    /** Data that mark the end of a complete stream; empty if the end of the answer does so. */
    Optional<HttpData> end();

    /**
     * Data that end a stream that has failed; empty if only a broken connection can tell readers.
     *
     * @param problem a problem document
     */
    Optional<HttpData> failure(byte[] problem);
}
