@NullMarked
package dev.millrace.cli.flowtest;

import org.jspecify.annotations.NullMarked;
