@NullMarked
package dev.millrace.handler;

import org.jspecify.annotations.NullMarked;
