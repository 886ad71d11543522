package dev.millrace.worker.internal.permission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PermissionsTest {
    @ParameterizedTest
    @CsvSource({
        "'', 'allow-net allow-env allow-sys', 'allow-net allow-env allow-sys'",
        "'', 'allow-net=a.test allow-read=/data allow-run=git', 'allow-net=a.test'",
        "'', '', ''",
        "'allow-net=A.test', 'allow-net', 'allow-net=a.test'",
        "'allow-net=a.test:443', 'allow-net=a.test', 'allow-net=a.test:443'",
        "'allow-net=[::1]:443', 'allow-net=[::1]', 'allow-net=[::1]:443'",
        "'allow-env=HOME allow-env=TMPDIR', 'allow-env', 'allow-env=HOME,TMPDIR'",
        "'allow-read=/data/in', 'allow-read=/data', 'allow-read=/data/in'",
        "'allow-read=/data/in/..', 'allow-read=/data', 'allow-read=/data'",
        "'allow-run=git', 'allow-run', 'allow-run=git'",
        "'allow-read', 'allow-read', 'allow-read'",
    })
    void givesWhatIsAskedForWithinWhatIsGranted(String asked, String granted, String got) throws IOException {
        assertThat(within(asked, granted)).isEqualTo(Permissions.parse(got));
    }

    @ParameterizedTest
    @CsvSource({
        "allow-net, allow-net=a.test, allow-net",
        "allow-net=a.test, allow-net=a.test:443, allow-net=a.test",
        "allow-net=b.a.test, allow-net=a.test, allow-net=b.a.test",
        "allow-net=a.test:80, allow-net=a.test:443, allow-net=a.test:80",
        "allow-read=/data/../etc, allow-read=/data, allow-read=/data/../etc",
        "allow-read=/database, allow-read=/data, allow-read=/database",
        "allow-read=/link/x, allow-read=/link, allow-read=/link/x",
        "allow-write=/data, allow-read=/data, allow-write=/data",
        "allow-read, allow-read=/data, allow-read",
        "allow-run=/tmp/git, allow-run=git, allow-run=/tmp/git",
        "allow-ffi=/lib/x.so, allow-net, allow-ffi=/lib/x.so",
        "'allow-net=a.test,b.test', allow-net=a.test, allow-net=b.test",
    })
    void refusesWhatIsNotGranted(String asked, String granted, String refused) {
        assertThatThrownBy(() -> within(asked, granted))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(refused);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "allow-all",
                "allow-import=a.test",
                "allow-hrtime",
                "-A",
                "allow-read=data",
                "allow-read=",
                "allow-read=/data,",
                "allow-read=/data,,/etc",
                "allow-net=a.test/path",
                "allow-net=*",
                "allow-net=http://a.test",
                "allow-env=A=B",
                "allow-env=*",
                "allow-run=git;sh",
                "ALLOW-NET"
            })
    void refusesWhatItCannotRead(String item) {
        assertThatThrownBy(() -> Permissions.parse(item)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void everythingOfAKindStaysEverythingWhateverFollows() {
        assertThat(Permissions.parse("allow-net allow-net=a.test")).isEqualTo(Permissions.parse("allow-net"));
        assertThat(Permissions.parse("allow-net=a.test allow-net")).isEqualTo(Permissions.parse("allow-net"));
    }

    /** On a machine where {@code /link/x} is a link to {@code /etc/x}. */
    private static Permissions within(String asked, String granted) throws IOException {
        return Permissions.parse(asked)
                .within(
                        Permissions.parse(granted),
                        path -> path.endsWith("link/x") ? Path.of("/etc/x") : path.normalize());
    }
}
