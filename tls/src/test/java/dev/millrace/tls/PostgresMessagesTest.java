package dev.millrace.tls;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of what the messages of a server weigh. */
class PostgresMessagesTest {
    private static final int LIMIT = 8 << 20;
    private static final int OTHER_MAX = 64 << 10;
    private static final byte[] TLS_REQUEST = {0, 0, 0, 8, 4, (byte) 210, 22, 47};

    private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
    private final DataOutputStream server = new DataOutputStream(sent);

    @Test
    void noticesWeighMuchMoreThanTheirBytes() throws IOException {
        send('N', 1_000, new byte[1]);
        read(PostgresMessages.Use.STATEMENTS);

        send('N', 5_000, new byte[1]);
        assertTooMuch(PostgresMessages.Use.STATEMENTS, "more than " + LIMIT + " bytes");
    }

    @Test
    void rowsWeighMoreTheMoreColumnsTheyHave() throws IOException {
        byte[] row = new byte[2 + 4 * 1_000];
        row[0] = 3;
        row[1] = (byte) 232;
        send('D', 250, row);
        read(PostgresMessages.Use.STATEMENTS);

        send('D', 400, row);
        assertTooMuch(PostgresMessages.Use.STATEMENTS, "more than " + LIMIT + " bytes");
    }

    @Test
    void theDriverKeepsFewSettings() throws IOException {
        for (int setting = 0; setting < 300; setting++) {
            send('S', 1, ("setting" + setting % 150 + "\0on\0").getBytes(UTF_8));
        }
        read(PostgresMessages.Use.STATEMENTS);

        for (int setting = 0; setting < 300; setting++) {
            send('S', 1, ("setting" + setting + "\0on\0").getBytes(UTF_8));
        }
        assertTooMuch(PostgresMessages.Use.STATEMENTS, "more than 200 settings");
    }

    /** The driver would keep the value of each setting, and a buffer as large as the largest notice. */
    @Test
    void onlyRowsMayBeLong() throws IOException {
        send('D', 1, new byte[OTHER_MAX]);
        send('N', 1, new byte[OTHER_MAX / 2]);
        send('S', 1, "search_path\0public\0".getBytes(UTF_8));
        read(PostgresMessages.Use.STATEMENTS);

        send('N', 1, new byte[OTHER_MAX]);
        assertTooMuch(PostgresMessages.Use.STATEMENTS, "in a message that is no row");
        sent.reset();
        send('S', 1, new byte[OTHER_MAX / 2]);
        assertTooMuch(PostgresMessages.Use.STATEMENTS, "in a message that is no row");
    }

    @Test
    void whatNobodyTakesIsCountedAcrossAnswers() throws IOException {
        AnswerLimit limit = new AnswerLimit(LIMIT);
        PostgresMessages messages = new PostgresMessages(limit, PostgresMessages.Use.NOTIFICATIONS, OTHER_MAX);
        send('N', 1_500, new byte[1]);
        InputStream first = messages.weighed(new ByteArrayInputStream(sent.toByteArray()));
        first.skipNBytes(sent.size());
        limit.restart();
        InputStream second = messages.weighed(new ByteArrayInputStream(sent.toByteArray()));

        assertThatThrownBy(() -> second.skipNBytes(sent.size()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("that nobody takes");
    }

    /** Bytes that are encrypted look like messages of any kind. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void weighsMessagesOnlyWhereTheyCanBeRead(boolean isEncrypted) throws IOException {
        AnswerLimit limit = new AnswerLimit(LIMIT);
        PostgresMessages messages = new PostgresMessages(limit, PostgresMessages.Use.STATEMENTS, OTHER_MAX);
        try (OutputStream requests = messages.observed(OutputStream.nullOutputStream())) {
            requests.write(TLS_REQUEST);
        }
        server.writeByte(isEncrypted ? 'S' : 'N');
        send('N', 5_000, new byte[1]);
        InputStream answers = messages.weighed(new ByteArrayInputStream(sent.toByteArray()));

        if (isEncrypted) {
            answers.skipNBytes(sent.size());
        } else {
            assertThatThrownBy(() -> answers.skipNBytes(sent.size())).hasMessageContaining("more than " + LIMIT);
        }
    }

    private void send(char type, int times, byte[] body) throws IOException {
        for (int message = 0; message < times; message++) {
            server.writeByte(type);
            server.writeInt(Integer.BYTES + body.length);
            server.write(body);
        }
    }

    /** Reads all, in pieces that end anywhere. */
    private void read(PostgresMessages.Use use) throws IOException {
        InputStream answers = new PostgresMessages(new AnswerLimit(LIMIT), use, OTHER_MAX)
                .weighed(new ByteArrayInputStream(sent.toByteArray()));
        byte[] piece = new byte[7];
        while (answers.read(piece) >= 0) {
            // Only what it weighs matters.
        }
        sent.reset();
    }

    private void assertTooMuch(PostgresMessages.Use use, String reason) {
        assertThatThrownBy(() -> read(use)).isInstanceOf(IOException.class).hasMessageContaining(reason);
    }
}
