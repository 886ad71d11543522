package dev.millrace.gateway.http;

import com.linecorp.armeria.common.HttpData;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * One server-sent event. Written by hand, because the data are UTF-8 already: Armeria's events take text.
 *
 * @param id where the stream goes on for a reader that comes back with it; empty for events that are told anew then
 * @param json one JSON value; line ends in it are white space between tokens, since strings have theirs escaped
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, and written once
public record ServerEvent(String name, String id, byte[] json) {

    /** Nothing follows: the run is over. */
    static final ServerEvent END = new ServerEvent("end", "{}".getBytes(StandardCharsets.UTF_8));

    private static final byte[] DATA = "\ndata: ".getBytes(StandardCharsets.UTF_8);
    private static final int OVERHEAD = 64;

    public ServerEvent(String name, byte[] json) {
        this(name, "", json);
    }

    HttpData data() {
        var out = new ByteArrayOutputStream(json.length + OVERHEAD);
        out.writeBytes(((id.isEmpty() ? "" : "id: " + id + "\n") + "event: " + name).getBytes(StandardCharsets.UTF_8));
        out.writeBytes(DATA);
        for (byte b : json) {
            switch (b) {
                // The reader joins the lines again with a line feed, which is as good as the carriage return here.
                case '\n' -> out.writeBytes(DATA);
                case '\r' -> out.write(' ');
                default -> out.write(b);
            }
        }
        out.write('\n');
        out.write('\n');
        return HttpData.wrap(out.toByteArray());
    }
}
