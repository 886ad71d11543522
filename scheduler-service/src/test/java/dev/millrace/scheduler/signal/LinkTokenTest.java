package dev.millrace.scheduler.signal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.queue.core.RunId;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LinkTokenTest {
    private static final byte[] SECRET = "secret".getBytes(UTF_8);
    private static final RunId RUN = RunId.parse("0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b");
    private static final LinkToken TOKEN = new LinkToken(
            "release[3].w",
            "Ann Ö.",
            true,
            Instant.parse("2030-01-31T08:00:00Z"),
            Optional.of(Instant.parse("2030-01-01T08:00:00.123Z")));

    @Test
    void readsWhatItSigned() {
        String text = TOKEN.sign(RUN, SECRET);

        assertThat(LinkToken.verify(text, RUN, SECRET)).contains(TOKEN);
        assertThat(text).matches("[A-Za-z0-9_.-]+");
        assertThat(TOKEN.toString()).doesNotContain("Ann");
    }

    @Test
    void readsLinksThatDoNotSayWhenTheyWereSigned() {
        LinkToken old = new LinkToken("w", "Ann", false, TOKEN.expires(), Optional.empty());

        assertThat(old.content()).endsWith("\nAnn");
        assertThat(LinkToken.verify(old.sign(RUN, SECRET), RUN, SECRET)).contains(old);
    }

    @Test
    void rejectsEveryChange() {
        String text = TOKEN.sign(RUN, SECRET);
        String content = text.substring(0, text.indexOf('.'));
        String signature = text.substring(text.indexOf('.'));
        String another = Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(new LinkToken("w", "Eve", true, TOKEN.expires(), TOKEN.signed())
                        .content()
                        .getBytes(UTF_8));

        for (String changed : List.of(
                another + signature,
                content + ".",
                content + signature.substring(0, 10),
                content,
                "",
                ".",
                "!." + signature,
                text + text,
                "a".repeat(10_000) + signature)) {
            assertThat(LinkToken.verify(changed, RUN, SECRET)).as(changed).isEmpty();
        }
    }

    @Test
    void isValidOnlyForItsRunAndItsInstallation() {
        String text = TOKEN.sign(RUN, SECRET);
        RunId other = RunId.parse("0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5c");

        assertThat(LinkToken.verify(text, other, SECRET)).isEmpty();
        assertThat(LinkToken.verify(text, RUN, "another".getBytes(UTF_8))).isEmpty();
    }
}
