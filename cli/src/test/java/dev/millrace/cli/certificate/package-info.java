@NullMarked
package dev.millrace.cli.certificate;

import org.jspecify.annotations.NullMarked;
