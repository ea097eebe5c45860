    public Matrix(double[][] rows) {
        double[][] copy = new double[rows.length][];
        for (int i = 0; i < rows.length; i++) {
            if (rows[i].length != rows[0].length) {
                throw new IllegalArgumentException("rows of different length");
            }
            copy[i] = rows[i].clone();
        }
        this.cells = copy;
    }
