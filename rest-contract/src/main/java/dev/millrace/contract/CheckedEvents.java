package dev.millrace.contract;

import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.charset.StandardCharsets;

/**
 * Stream of server-sent events that checks each event as it is read. Reading fails at an event that the document does
 * not describe.
 */
public final class CheckedEvents extends FilterInputStream {
    private final ServerSentEvents events;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

    private CheckedEvents(Contract contract, URI uri, InputStream in) {
        super(in);
        this.events = new ServerSentEvents((event, data) -> contract.checkEvent("GET", uri, event, data));
    }

    /** Reads the answer to a GET as a stream. Only streams of events are checked. */
    public static BodyHandler<InputStream> handler(Contract contract, URI uri) {
        return info -> Exchange.type(info.headers()).equals(ExchangeCheck.EVENT_STREAM)
                ? BodySubscribers.mapping(BodySubscribers.ofInputStream(), in -> new CheckedEvents(contract, uri, in))
                : BodySubscribers.ofInputStream();
    }

    @Override
    public int read() throws IOException {
        int read = super.read();
        if (read >= 0) {
            take(read);
        }
        return read;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        int read = super.read(bytes, offset, length);
        for (int i = 0; i < read; i++) {
            take(bytes[offset + i]);
        }
        return read;
    }

    private void take(int value) {
        if (value == '\n') {
            events.line(line.toString(StandardCharsets.UTF_8));
            line.reset();
        } else {
            line.write(value);
        }
    }
}
