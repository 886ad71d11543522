package dev.millrace.scheduler.packages;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PackageHintsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "import requests\n",
                "import json\ndef main():\n    from numpy.linalg import norm\n",
                "# /// script\n# dependencies = []\n# ///\n"
            })
    void noticesWhatComesFromPackages(String source) {
        assertThat(PackageHints.mayNeedPackages(source)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "def main(): return 1\n",
                "import json, os.path\nfrom millrace import current\nfrom __future__ import annotations\n",
                "import distutils, tomllib\nfrom . import sibling\n",
                "important = 'import'\n"
            })
    void staysCalmAboutTheStandardLibrary(String source) {
        assertThat(PackageHints.mayNeedPackages(source)).isFalse();
    }

    @Test
    void readsChosenPackagesOutOfALock() {
        PackageLock lock = new PackageLock("python3.12", """
                humanize==4.17.0 \\
                    --hash=sha256:1324
                colorama==0.4.6 ; sys_platform == 'win32' \\
                    --hash=sha256:4f1d
                uvicorn[standard]==0.40.0
                tool @ https://example.org/tool-1.whl \\
                    --hash=sha256:9999
                """, List.of(), Instant.EPOCH);

        assertThat(lock.packages())
                .containsExactly(
                        new PackageLock.Chosen("humanize", "4.17.0", ""),
                        new PackageLock.Chosen("colorama", "0.4.6", "sys_platform == 'win32'"),
                        new PackageLock.Chosen("uvicorn", "0.40.0", ""),
                        new PackageLock.Chosen("tool", "https://example.org/tool-1.whl", ""));
    }
}
