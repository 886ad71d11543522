@NullMarked
package dev.millrace.cli.yaml;

import org.jspecify.annotations.NullMarked;
