package dev.millrace.e2e.login;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Cli;
import dev.millrace.harness.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A process {@code millrace login} that waits for its user.
 *
 * @param page address that the command shows
 * @param code that the page must show
 */
record PendingLogin(Process process, Path errors, URI page, String code) {
    private static final Pattern PAGE = Pattern.compile("Open this page in a browser: (\\S+)");
    private static final Pattern CODE = Pattern.compile("It must show this code: +(\\S+)");

    static PendingLogin start(Cli cli, URI gateway) {
        try {
            Path errors = Files.createTempFile("millrace-login-", ".err");
            Process process = cli.start(errors, "login", "--server", gateway.toString());
            Await.until(
                    "the command shows its code",
                    Api.PATIENCE,
                    () -> read(errors).contains("Waiting for you"),
                    () -> read(errors));
            return new PendingLogin(process, errors, URI.create(found(PAGE, read(errors))), found(CODE, read(errors)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until the command ends. */
    Cli.Outcome await() {
        try {
            assertThat(process.waitFor(Api.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .as("the command ends, having said: %s", read(errors))
                    .isTrue();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Cli.Outcome(process.exitValue(), output, read(errors));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while a login waited.", e);
        }
    }

    private static String found(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        assertThat(matcher.find()).as(text).isTrue();
        return matcher.group(1);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
