package examples.matrix;

/** A matrix of numbers. Instances never change. */
public final class Matrix {

    private final double[][] cells;

    /** A matrix with the given rows, all of the same length. */
    public Matrix(double[][] rows) {
        for (double[] row : rows) {
            if (row.length != rows[0].length) {
                throw new IllegalArgumentException("rows of different length");
            }
        }
        this.cells = rows.clone();
    }

    public int rows() {
        return cells.length;
    }

    public int columns() {
        return cells.length == 0 ? 0 : cells[0].length;
    }

    public double get(int row, int column) {
        return cells[row][column];
    }

    public Matrix multiply(Matrix right) {
        if (columns() != right.rows()) {
            throw new IllegalArgumentException(
                    "cannot multiply " + columns() + " columns by " + right.rows() + " rows");
        }
        double[][] product = new double[rows()][right.columns()];
        for (int i = 0; i < rows(); i++) {
            for (int j = 0; j < right.columns(); j++) {
                for (int k = 0; k < columns(); k++) {
                    product[i][j] += cells[i][k] * right.cells[k][j];
                }
            }
        }
        return new Matrix(product);
    }
}
