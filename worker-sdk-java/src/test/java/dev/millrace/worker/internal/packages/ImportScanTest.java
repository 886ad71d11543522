package dev.millrace.worker.internal.packages;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ImportScanTest {
    static List<Arguments> sources() {
        return List.of(
                Arguments.of("", Set.of()),
                Arguments.of("def main(x): return x\n", Set.of()),
                Arguments.of("import json\n", Set.of("json")),
                Arguments.of("import os.path as p, numpy as np , yaml\n", Set.of("os", "numpy", "yaml")),
                Arguments.of("def main():\n    from requests.auth import A, B\n", Set.of("requests")),
                Arguments.of("x = 1; import zmq # import nothing\n", Set.of("zmq")),
                Arguments.of("try: import ujson\nexcept ImportError: import json\n", Set.of("ujson", "json")),
                Arguments.of("import a, \\\n    b\n", Set.of("a", "b")),
                Arguments.of("from . import sibling\nfrom .x import y\n", Set.of()),
                Arguments.of("important = 1\nfromage = 2\n", Set.of()),
                Arguments.of("import größe\n", Set.of("größe")));
    }

    @ParameterizedTest
    @MethodSource("sources")
    void findsTheModulesThatSourceMayImport(String source, Set<String> modules) {
        assertThat(ImportScan.modules(source)).isEqualTo(modules);
    }

    @Test
    void knowsMetadataByItsFirstLine() {
        assertThat(ImportScan.declaresPackages("x = 1\n# /// script\n# dependencies = []\n# ///\n"))
                .isTrue();
        assertThat(ImportScan.declaresPackages("text = '# /// script'\n")).isFalse();
    }
}
