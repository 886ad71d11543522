package dev.millrace.worker.internal.packages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class LockedPackageTest {
    @Test
    void readsNamesVersionsConditionsAndHashes() {
        List<LockedPackage> packages = LockedPackage.parse("""
                # a remark
                certifi==2026.10.19 \\
                    --hash=sha256:1324 \\
                    --hash=sha256:5678
                colorama==0.4.6 ; sys_platform == 'win32' \\
                    --hash=sha256:4f1d
                uvicorn[standard]==0.40.0
                tool @ https://example.org/tool-1.whl \\
                    --hash=sha256:9999
                """);

        assertThat(packages).extracting(LockedPackage::name).containsExactly("certifi", "colorama", "uvicorn", "tool");
        assertThat(packages)
                .extracting(LockedPackage::version)
                .containsExactly("2026.10.19", "0.4.6", "0.40.0", "https://example.org/tool-1.whl");
        assertThat(packages.get(0).requirement()).contains("sha256:1324").contains("sha256:5678");
        assertThat(packages.get(1).requirement()).contains("sys_platform").doesNotContain("uvicorn");
    }

    @Test
    void packagesThatDifferHaveFoldersOfTheirOwn() {
        LockedPackage one = LockedPackage.parse("a==1 --hash=sha256:1\n").get(0);
        LockedPackage other = LockedPackage.parse("a==1 --hash=sha256:2\n").get(0);

        assertThat(one.folderName()).startsWith("a-1-").isNotEqualTo(other.folderName());
        assertThat(LockedPackage.parse("tool @ https://example.org/../tool.whl\n")
                        .get(0)
                        .folderName())
                .matches("[A-Za-z0-9._-]+");
    }

    @Test
    void refusesWhatHasNoVersion() {
        assertThatThrownBy(() -> LockedPackage.parse("requests>=2\n"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("requests>=2");
    }
}
